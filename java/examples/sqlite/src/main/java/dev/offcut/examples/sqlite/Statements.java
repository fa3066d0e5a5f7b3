package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** The C functions of a statement's life; for the rest see {@link Bindings} and {@link Columns}. */
final class Statements {
  static final int ROW = 100;
  static final int DONE = 101;

  private static final MethodHandle PREPARE =
      Library.link(
          "sqlite3_prepare_v2", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
  private static final MethodHandle STEP = Library.link("sqlite3_step", JAVA_INT, JAVA_LONG);
  private static final MethodHandle RESET = Library.link("sqlite3_reset", JAVA_INT, JAVA_LONG);
  private static final MethodHandle BUSY = Library.link("sqlite3_stmt_busy", JAVA_INT, JAVA_LONG);
  private static final MethodHandle FINALIZE =
      Library.link("sqlite3_finalize", JAVA_INT, JAVA_LONG);
  private static final MethodHandle HANDLE =
      Library.link("sqlite3_db_handle", JAVA_LONG, JAVA_LONG);

  private static final MethodHandle NEXT =
      Library.link("sqlite3_next_stmt", JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private Statements() {}

  /** Compiles the statement that {@code sql} holds. Allocates nothing unless it fails. */
  static long prepare(long db, Scratch sql, String text) {
    int code;
    try {
      code =
          (int)
              PREPARE.invokeExact(
                  db, sql.bytes(), sql.length() + 1, sql.outAddress(), sql.tailAddress());
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
    long stmt = sql.out();
    if (code != Sqlite.OK) {
      throw Failure.of(db, code, text);
    }
    if (stmt == 0) {
      throw new SqliteException("no statement, only blanks or comments", Failure.MISUSE, text);
    }
    return stmt;
  }

  /** Runs to the next row or the end; returns ROW, DONE or an error. */
  static int step(long stmt) {
    try {
      return (int) STEP.invokeExact(stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The releaser of rows. Its code repeats the last step's, which was told then. */
  static void reset(long stmt) {
    try {
      int ignored = (int) RESET.invokeExact(stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** Whether it has given a row, and was neither run to its end nor reset. */
  static boolean isBusy(long stmt) {
    try {
      return (int) BUSY.invokeExact(stmt) != 0;
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The releaser of statements. Its code repeats the last step's, which was told then. */
  static void close(long stmt) {
    try {
      int ignored = (int) FINALIZE.invokeExact(stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The connection of a statement. */
  static long connection(long stmt) {
    try {
      return (long) HANDLE.invokeExact(stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** Walks the connection's statements. Under its lock, or one could go during the walk. */
  static int count(long db) {
    long mutex = Sqlite.lock(db);
    try {
      int count = 0;
      for (long stmt = next(db, 0); stmt != 0; stmt = next(db, stmt)) {
        count++;
      }
      return count;
    } finally {
      Sqlite.unlock(mutex);
    }
  }

  private static long next(long db, long stmt) {
    try {
      return (long) NEXT.invokeExact(db, stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }
}
