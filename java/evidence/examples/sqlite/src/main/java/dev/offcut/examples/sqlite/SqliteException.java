package dev.offcut.examples.sqlite;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Thrown if SQLite refuses a call. The message has SQLite's reason, its code and the SQL. */
public final class SqliteException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** SQLITE_MISUSE, also for SQL that is not one statement. */
  static final int MISUSE = 21;

  private static final MethodHandle MESSAGE = Library.link("sqlite3_errmsg", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle CODE =
      Library.link("sqlite3_extended_errcode", JAVA_INT, JAVA_LONG);
  private static final MethodHandle MEANING = Library.link("sqlite3_errstr", JAVA_LONG, JAVA_INT);
  private static final MethodHandle MUTEX = Library.link("sqlite3_db_mutex", JAVA_LONG, JAVA_LONG);
  private static final MethodHandle ENTER = Library.link("sqlite3_mutex_enter", null, JAVA_LONG);
  private static final MethodHandle LEAVE = Library.link("sqlite3_mutex_leave", null, JAVA_LONG);

  private final int code;

  SqliteException(String reason, int code, @Nullable String sql) {
    super(reason + " (code " + code + ")" + (sql == null ? "" : " in: " + sql));
    this.code = code;
  }

  /**
   * The exception for a code that a call returned. The reason belongs to the connection, not to the
   * call: it is read under the connection's lock, so that no other thread frees it meanwhile, and
   * only used if no other call has failed otherwise since.
   */
  static SqliteException of(long db, int code, @Nullable String sql) {
    try {
      if (db == 0) {
        return new SqliteException(meaning(code), code, sql);
      }
      long mutex = (long) MUTEX.invokeExact(db);
      ENTER.invokeExact(mutex);
      try {
        int extended = (int) CODE.invokeExact(db);
        return (extended & 0xff) == (code & 0xff)
            ? new SqliteException(Scratch.text((long) MESSAGE.invokeExact(db)), extended, sql)
            : new SqliteException(meaning(code), code, sql);
      } finally {
        LEAVE.invokeExact(mutex);
      }
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  private static String meaning(int code) throws Throwable {
    return Scratch.text((long) MEANING.invokeExact(code));
  }

  /** Whether the latest call on the connection found no memory. */
  static boolean isOutOfMemory(long db) {
    try {
      return ((int) CODE.invokeExact(db) & 0xff) == Sqlite.NOMEM;
    } catch (Throwable t) {
      throw Sqlite.unexpected(t);
    }
  }

  /** Returns SQLite's extended result code. Its low byte is the primary code. */
  public int code() {
    return code;
  }
}
