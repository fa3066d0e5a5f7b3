package dev.offcut.examples.sqlite;

import dev.offcut.handle.CloseInUse;
import dev.offcut.handle.CloseWithChildren;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.HandleType;
import java.nio.file.Path;

/**
 * A connection to an SQLite database.
 *
 * <pre>{@code
 * try (Database db = Database.inMemory();
 *     Statement insert = db.prepare("INSERT INTO city VALUES (?, ?)")) {
 *   insert.bind(1, "Zürich").bind(2, 443_037).execute();
 * }
 * }</pre>
 *
 * <p><b>Ownership.</b> A database is the parent of its statements. {@link #close} finalizes the
 * open statements and then closes the connection: a statement is of no use without it, and SQLite
 * would refuse to close. An open transaction is rolled back. The net closes a forgotten database
 * after its statements.
 *
 * <p><b>Threads.</b> Any number of threads; SQLite runs one call at a time (its serialized mode).
 * Transactions and {@link #changes} belong to the connection, so threads share them. A close while
 * another thread is in a call refuses new calls, and takes effect when that call returns.
 *
 * <p><b>Failures.</b> {@link SqliteException} with SQLite's message; {@link
 * dev.offcut.handle.ClosedHandleException} after close; {@link OutOfMemoryError} only while there
 * is no resource yet.
 */
public final class Database extends GuardedHandle {
  /**
   * Closing cascades, as the class comment says. In use it defers: whoever closes need not know
   * what other threads are at, and nobody has to wait.
   */
  static final HandleType TYPE =
      HandleType.named("sqlite3")
          .releaser(Sqlite::close)
          .closeInUse(CloseInUse.DEFER)
          .closeWithChildren(CloseWithChildren.CASCADE)
          .create();

  /** The opener is made before the handle: between its place in the net and its open, nothing. */
  private Database(Opener opener) {
    open(opener);
  }

  /**
   * Opens a new database in memory. It lives as long as the handle.
   *
   * @throws UnsatisfiedLinkError if there is no libsqlite3; the message says what to install
   */
  public static Database inMemory() {
    return open(":memory:");
  }

  /**
   * Opens the database in {@code file}. SQLite creates the file if it does not exist.
   *
   * @throws SqliteException if the file cannot be opened. A file that is no database is found at
   *     the first use
   * @throws UnsatisfiedLinkError if there is no libsqlite3; the message says what to install
   */
  public static Database open(Path file) {
    return open(file.toAbsolutePath().toString());
  }

  private static Database open(String name) {
    Library.require();
    try (Scratch scratch = Scratch.of(name)) {
      return new Database(() -> Sqlite.open(scratch));
    }
  }

  /** Returns the version of the library, such as "3.45.1". */
  public static String version() {
    Library.require();
    return Sqlite.version();
  }

  /**
   * Compiles one statement, which the caller closes.
   *
   * @throws SqliteException if {@code sql} is not valid, or is not exactly one statement
   */
  public Statement prepare(String sql) {
    try (Scratch scratch = Scratch.ofSql(sql)) {
      Statement statement = with(db -> Statement.prepare(this, db, scratch, sql));
      boolean whole = false;
      try {
        requireRead(scratch, sql);
        whole = true;
      } finally {
        if (!whole) {
          statement.close();
        }
      }
      return statement;
    }
  }

  private static void requireRead(Scratch scratch, String sql) {
    String tail = scratch.tail();
    if (!tail.isBlank()) {
      throw new SqliteException("more than one statement", Failure.MISUSE, sql);
    }
  }

  /** Compiles one statement and runs it to its end. Its rows are dropped. */
  public void execute(String sql) {
    try (Statement statement = prepare(sql)) {
      statement.execute();
    }
  }

  /**
   * Returns the number of rows that the latest INSERT, UPDATE or DELETE changed, in whichever
   * thread it ran.
   */
  public int changes() {
    return (int) withLong(Sqlite::changes);
  }

  /**
   * Returns how many statements SQLite itself has open on this connection. Tests compare the net
   * with it.
   */
  public int openStatements() {
    return (int) withLong(Statements::count);
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
