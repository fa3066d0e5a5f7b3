package dev.offcut.examples.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if SQLite refuses a call. It has SQLite's message and code, and the SQL if there was one.
 */
public final class SqliteException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** How much of the SQL stands in the message; {@link #sql} has all of it. */
  private static final int SHOWN_SQL = 200;

  private final int code;
  private final @Nullable String sql;
  private final String reason;

  SqliteException(String reason, int code, @Nullable String sql) {
    super(reason + " (code " + code + ")" + (sql == null ? "" : " in: " + shorten(sql)));
    this.reason = reason;
    this.code = code;
    this.sql = sql;
  }

  private static String shorten(String sql) {
    return sql.length() <= SHOWN_SQL ? sql : sql.substring(0, SHOWN_SQL) + "…";
  }

  /**
   * Returns SQLite's extended result code. Its low byte is the primary code, such as 13,
   * SQLITE_FULL.
   */
  public int code() {
    return code;
  }

  /** Returns SQLite's message alone. */
  public String reason() {
    return reason;
  }

  /** Returns the SQL of the statement, or null if there was none. */
  public @Nullable String sql() {
    return sql;
  }
}
