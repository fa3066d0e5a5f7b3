package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The C functions of statements, one static method each. */
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
  private static final MethodHandle BIND_LONG =
      Library.link("sqlite3_bind_int64", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle BIND_DOUBLE =
      Library.link("sqlite3_bind_double", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_DOUBLE);
  private static final MethodHandle BIND_TEXT =
      Library.link(
          "sqlite3_bind_text", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle COLUMN_COUNT =
      Library.link("sqlite3_column_count", JAVA_INT, JAVA_LONG);
  private static final MethodHandle COLUMN_LONG =
      Library.link("sqlite3_column_int64", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle COLUMN_TEXT =
      Library.link("sqlite3_column_text", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle COLUMN_BYTES =
      Library.link("sqlite3_column_bytes", JAVA_INT, JAVA_LONG, JAVA_INT);

  /** SQLITE_TRANSIENT: SQLite copies a text before the call returns. */
  private static final long COPY = -1;

  private Statements() {}

  /** Compiles the one statement that {@code sql} holds. Allocates nothing unless it fails. */
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
      throw SqliteException.of(db, code, text);
    }
    if (stmt == 0) {
      throw new SqliteException(
          "no statement, only blanks or comments", SqliteException.MISUSE, text);
    }
    if (!sql.isRestBlank()) {
      try {
        throw new SqliteException("more than one statement", SqliteException.MISUSE, text);
      } finally {
        close(stmt);
      }
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

  /** Binds an integer, and returns a code. */
  static int bind(long stmt, int parameter, long value) {
    try {
      return (int) BIND_LONG.invokeExact(stmt, parameter, value);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** Binds a floating-point number, and returns a code. */
  static int bind(long stmt, int parameter, double value) {
    try {
      return (int) BIND_DOUBLE.invokeExact(stmt, parameter, value);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** Binds the text at an address, or NULL for the address 0, and returns a code. */
  static int bindText(long stmt, int parameter, long address, int length) {
    try {
      return (int) BIND_TEXT.invokeExact(stmt, parameter, address, length, COPY);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  static int columns(long stmt) {
    try {
      return (int) COLUMN_COUNT.invokeExact(stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  static long getLong(long stmt, int column) {
    try {
      return (long) COLUMN_LONG.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** Copies the UTF-8 of a column; null for NULL, and if SQLite had no memory to convert. */
  static byte @Nullable [] text(long stmt, int column) {
    try {
      long address = (long) COLUMN_TEXT.invokeExact(stmt, column);
      return address == 0
          ? null
          : Scratch.copy(address, (int) COLUMN_BYTES.invokeExact(stmt, column));
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }
}
