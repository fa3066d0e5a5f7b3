package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Makes exceptions of SQLite's error codes, with the connection's own message. */
final class Failure {
  /** SQLITE_MISUSE, here for SQL that cannot be one statement. */
  static final int MISUSE = 21;

  private static final MethodHandle MESSAGE = Library.link("sqlite3_errmsg", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle EXTENDED =
      Library.link("sqlite3_extended_errcode", JAVA_INT, JAVA_LONG);
  private static final MethodHandle MEANING = Library.link("sqlite3_errstr", JAVA_LONG, JAVA_INT);

  private Failure() {}

  /**
   * The exception for {@code code}. The message belongs to the connection, not to the call: it is
   * read under the connection's lock, so that no other thread frees it meanwhile, and only used if
   * no other call has failed otherwise since.
   */
  static SqliteException of(long db, int code, @Nullable String sql) {
    if (db == 0) {
      return new SqliteException(meaning(code), code, sql);
    }
    long mutex = Sqlite.lock(db);
    try {
      int extended = (int) EXTENDED.invokeExact(db);
      boolean ours = (extended & 0xff) == (code & 0xff);
      return ours
          ? new SqliteException(Scratch.text((long) MESSAGE.invokeExact(db)), extended, sql)
          : new SqliteException(meaning(code), code, sql);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    } finally {
      Sqlite.unlock(mutex);
    }
  }

  /** The exception for a failed call on a statement. */
  static SqliteException ofStatement(long stmt, int code, String sql) {
    return of(Statements.connection(stmt), code, sql);
  }

  /** Whether the latest call on the statement's connection found no memory. */
  static boolean isOutOfMemory(long stmt) {
    try {
      int code = (int) EXTENDED.invokeExact(Statements.connection(stmt));
      return (code & 0xff) == Sqlite.NOMEM;
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** What the code means in general. */
  static String meaning(int code) {
    try {
      return Scratch.text((long) MEANING.invokeExact(code));
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }
}
