package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/** The C functions that give a statement its parameters; each returns a code. */
final class Bindings {
  /** SQLITE_TRANSIENT: SQLite makes its own copy before it returns. */
  private static final long COPY = -1;

  private static final MethodHandle NULL =
      Library.link("sqlite3_bind_null", JAVA_INT, JAVA_LONG, JAVA_INT);
  private static final MethodHandle LONG =
      Library.link("sqlite3_bind_int64", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle DOUBLE =
      Library.link("sqlite3_bind_double", JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_DOUBLE);
  private static final MethodHandle TEXT = linkBytes("sqlite3_bind_text");
  private static final MethodHandle BLOB = linkBytes("sqlite3_bind_blob");

  private Bindings() {}

  private static MethodHandle linkBytes(String name) {
    return Library.link(name, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG);
  }

  static int bindNull(long stmt, int parameter) {
    try {
      return (int) NULL.invokeExact(stmt, parameter);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  static int bindLong(long stmt, int parameter, long value) {
    try {
      return (int) LONG.invokeExact(stmt, parameter, value);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  static int bindDouble(long stmt, int parameter, double value) {
    try {
      return (int) DOUBLE.invokeExact(stmt, parameter, value);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The length is passed, so a text may hold the character 0. */
  static int bindText(long stmt, int parameter, Scratch text) {
    try {
      return (int) TEXT.invokeExact(stmt, parameter, text.bytes(), text.length(), COPY);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** The address of an empty blob is not 0, which SQLite would take for NULL. */
  static int bindBlob(long stmt, int parameter, Scratch blob) {
    try {
      return (int) BLOB.invokeExact(stmt, parameter, blob.bytes(), blob.length(), COPY);
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }
}
