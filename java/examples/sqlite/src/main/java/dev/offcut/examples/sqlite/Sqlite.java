package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;

/**
 * The C functions of the library and of connections, one static method each.
 *
 * <p>Connections are opened in serialized mode: any thread may call with any address that is still
 * open, and the net must, since it finalizes what was forgotten on a thread of its own.
 */
final class Sqlite {
  static final int OK = 0;
  static final int NOMEM = 7;

  private static final int READWRITE = 0x2;
  private static final int CREATE = 0x4;
  private static final int FULLMUTEX = 0x10000;

  private static final MethodHandle VERSION = Library.link("sqlite3_libversion", JAVA_LONG);
  private static final MethodHandle OPEN =
      Library.link("sqlite3_open_v2", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG);
  private static final MethodHandle CLOSE = Library.link("sqlite3_close", JAVA_INT, JAVA_LONG);
  private static final MethodHandle CHANGES = Library.link("sqlite3_changes", JAVA_INT, JAVA_LONG);
  private static final MethodHandle MUTEX = Library.link("sqlite3_db_mutex", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ENTER = Library.link("sqlite3_mutex_enter", null, JAVA_LONG);
  private static final MethodHandle LEAVE = Library.link("sqlite3_mutex_leave", null, JAVA_LONG);

  static {
    Library.rehearse(Sqlite::close); // not by its type, which is there before the library is found
    Library.rehearse(Sqlite::unlock);
  }

  private Sqlite() {}

  /** The library's version, as in "3.45.1". */
  static String version() {
    try {
      return Scratch.text((long) VERSION.invokeExact());
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /**
   * Opens a connection to the file that {@code name} holds. SQLite returns a connection even where
   * it fails, for its message; that one is closed here.
   */
  static long open(Scratch name) {
    int code = open(name.bytes(), name.outAddress());
    long db = name.out();
    if (code == OK) {
      return db;
    }
    try {
      throw Failure.of(db, code, null);
    } finally {
      callClose(db);
    }
  }

  private static int open(long name, long out) {
    try {
      return (int) OPEN.invokeExact(name, out, READWRITE | CREATE | FULLMUTEX, 0L);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /**
   * The releaser of connections. Not {@code sqlite3_close_v2}, which would keep a connection with
   * open statements as a zombie: that children go first is the net's promise, and is checked here.
   */
  static void close(long db) {
    int code = callClose(db);
    if (code != OK) {
      throw new IllegalStateException(
          "sqlite3_close: " + Failure.meaning(code) + " (code " + code + "): statements are open");
    }
  }

  private static int callClose(long db) {
    try {
      return (int) CLOSE.invokeExact(db);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static int changes(long db) {
    try {
      return (int) CHANGES.invokeExact(db);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** Takes the connection's lock, which SQLite's own calls take too, as often as wanted. */
  static long lock(long db) {
    try {
      long mutex = (long) MUTEX.invokeExact(db);
      ENTER.invokeExact(mutex);
      return mutex;
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static void unlock(long mutex) {
    try {
      LEAVE.invokeExact(mutex);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** A downcall with constant types throws nothing but what the JVM does, such as a full stack. */
  static RuntimeException unexpected(Throwable t) {
    if (t instanceof Error e) {
      throw e;
    }
    throw new IllegalStateException(t);
  }
}
