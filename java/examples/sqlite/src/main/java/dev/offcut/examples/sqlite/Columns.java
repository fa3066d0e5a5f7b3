package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** The C functions that read the columns of the current row. */
final class Columns {
  /** The type code of NULL. */
  static final int NULL = 5;

  private static final MethodHandle COUNT =
      Library.link("sqlite3_column_count", JAVA_INT, JAVA_LONG);
  private static final MethodHandle NAME =
      Library.link("sqlite3_column_name", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle TYPE =
      Library.link("sqlite3_column_type", JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle LONG =
      Library.link("sqlite3_column_int64", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle DOUBLE =
      Library.link("sqlite3_column_double", JAVA_DOUBLE, JAVA_LONG, JAVA_INT);
  private static final MethodHandle TEXT =
      Library.link("sqlite3_column_text", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle BLOB =
      Library.link("sqlite3_column_blob", JAVA_LONG, JAVA_LONG, JAVA_INT);
  private static final MethodHandle BYTES =
      Library.link("sqlite3_column_bytes", JAVA_INT, JAVA_LONG, JAVA_INT);

  static {
    Library.rehearse(Columns::count); // called between the step that opens rows and their record
  }

  private Columns() {}

  /** Initializes the class, which links its calls. */
  static void link() {}

  static int count(long stmt) {
    try {
      return (int) COUNT.invokeExact(stmt);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The address of the name, or 0 where there was no memory for it. */
  static long name(long stmt, int column) {
    try {
      return (long) NAME.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** To be asked before anything else of the column: a conversion changes the answer. */
  static int type(long stmt, int column) {
    try {
      return (int) TYPE.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  static long getLong(long stmt, int column) {
    try {
      return (long) LONG.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  static double getDouble(long stmt, int column) {
    try {
      return (double) DOUBLE.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The address of the text, valid until the next call on the column; 0 for NULL. */
  static long text(long stmt, int column) {
    try {
      return (long) TEXT.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The address of the bytes, valid until the next call on the column; 0 for NULL and empty. */
  static long blob(long stmt, int column) {
    try {
      return (long) BLOB.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The length of what {@link #text} or {@link #blob} has just returned. */
  static int bytes(long stmt, int column) {
    try {
      return (int) BYTES.invokeExact(stmt, column);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }
}
