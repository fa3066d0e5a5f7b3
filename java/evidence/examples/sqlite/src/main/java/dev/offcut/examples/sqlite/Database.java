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
 * <p><b>Threads.</b> Any number of threads; SQLite runs one call at a time (its serialized mode). A
 * transaction belongs to the connection, so threads share it. A close while another thread is in a
 * call refuses new calls, and takes effect when that call returns.
 *
 * <p><b>Failures.</b> {@link SqliteException} with SQLite's message; {@link
 * dev.offcut.handle.ClosedHandleException} after close; {@link UnsatisfiedLinkError}, which says
 * what to install, if there is no usable libsqlite3.
 */
public final class Database extends GuardedHandle {
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

  /** Opens a new database in memory. It lives as long as the handle. */
  public static Database inMemory() {
    return open(":memory:");
  }

  /**
   * Opens the database in {@code file}. SQLite creates the file if it does not exist.
   *
   * @throws SqliteException if the file cannot be opened. A file that is not a database fails at
   *     the first use
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
      return with(db -> Statement.prepare(this, db, scratch, sql));
    }
  }

  /** Compiles one statement and runs it to its end. Its rows are dropped. */
  public void execute(String sql) {
    try (Statement statement = prepare(sql)) {
      statement.execute();
    }
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
