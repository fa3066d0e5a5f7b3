package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** Counts the statements that SQLite itself has open, to compare the handles with. */
final class OpenStatements {
  private static final MethodHandle NEXT =
      Library.link("sqlite3_next_stmt", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private OpenStatements() {}

  /** No other thread may open or close statements of the database meanwhile. */
  static int of(Database database) {
    return (int) database.withLong(OpenStatements::count);
  }

  private static long count(long db) {
    long count = 0;
    for (long stmt = next(db, 0); stmt != 0; stmt = next(db, stmt)) {
      count++;
    }
    return count;
  }

  private static long next(long db, long stmt) {
    try {
      return (long) NEXT.invokeExact(db, stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }
}
