package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * The C functions of the library and of connections, one static method each.
 *
 * <p>Connections are opened in serialized mode: any thread may call with any address that is still
 * open, and the safety net must, since it finalizes leaked statements on its own thread.
 */
final class Sqlite {
  static final int OK = 0;
  static final int NOMEM = 7;

  /** READWRITE, CREATE and FULLMUTEX. */
  private static final int MODE = 0x2 | 0x4 | 0x10000;

  private static final MethodHandle VERSION = Library.link("sqlite3_libversion", JAVA_LONG);
  private static final MethodHandle OPEN =
      Library.link("sqlite3_open_v2", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle CLOSE = Library.link("sqlite3_close", JAVA_INT, JAVA_LONG);

  private Sqlite() {}

  /** The library's version, as in "3.45.1". */
  static String version() {
    try {
      return Scratch.text((long) VERSION.invokeExact());
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** Opens a connection. SQLite makes one even if it fails, for the reason; it is closed here. */
  static long open(Scratch name) {
    int code;
    try {
      code = (int) OPEN.invokeExact(name.bytes(), name.outAddress(), MODE, 0L);
    } catch (Throwable t) {
      throw unexpected(t);
    }
    long db = name.out();
    if (code == OK) {
      return db;
    }
    try {
      throw SqliteException.of(db, code, null);
    } finally {
      close(db);
    }
  }

  /**
   * The releaser of connections. Not {@code sqlite3_close_v2}, which would keep a connection with
   * open statements as a zombie: that children go first is the net's promise, and is checked here.
   */
  static void close(long db) {
    int code;
    try {
      code = (int) CLOSE.invokeExact(db);
    } catch (Throwable t) {
      throw unexpected(t);
    }
    if (code != OK) {
      throw new IllegalStateException("sqlite3_close: code " + code + ": statements are open");
    }
  }

  /** A downcall with constant types throws nothing but what the JVM does, such as a full stack. */
  static RuntimeException unexpected(Throwable t) {
    if (t instanceof Error e) {
      throw e;
    }
    throw t instanceof RuntimeException r ? r : new IllegalStateException(t);
  }
}
