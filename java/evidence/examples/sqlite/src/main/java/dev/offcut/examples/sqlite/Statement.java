package dev.offcut.examples.sqlite;

import dev.offcut.handle.CloseInUse;
import dev.offcut.handle.CloseWithChildren;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.HandleType;
import org.jspecify.annotations.Nullable;

/**
 * A compiled statement. Bind its parameters (numbered from 1), then {@link #execute} it or {@link
 * #query} its rows, any number of times. Parameters keep their values until they are bound again.
 *
 * <p><b>Ownership.</b> A statement is a child of its database, and the parent of its {@link Rows}.
 * {@link #close} closes the rows, and then the statement. The net finalizes a forgotten statement,
 * always before its database.
 *
 * <p><b>Threads.</b> One thread at a time uses a statement and its rows. Only {@link #close} may be
 * called from another thread meanwhile; it takes effect when the running call returns. Different
 * threads may use different statements of one database.
 *
 * <p><b>Failures.</b> {@link SqliteException} with SQLite's message and the SQL; {@link
 * IllegalStateException} while the rows of the last query are open; {@link
 * dev.offcut.handle.ClosedHandleException} after close.
 */
public final class Statement extends GuardedHandle {
  static final HandleType TYPE =
      HandleType.named("sqlite3_stmt")
          .releaser(Statements::close)
          .childOf(Database.TYPE)
          .closeInUse(CloseInUse.DEFER)
          .closeWithChildren(CloseWithChildren.CASCADE)
          .create();

  private final String sql;
  private final long db;

  /** False only if the last step is known to have given no row: else SQLite is asked. */
  boolean mayBeBusy;

  private Statement(Database database, long db, String sql, Opener opener) {
    super(database);
    this.sql = sql;
    this.db = db;
    open(opener);
  }

  static Statement prepare(Database database, long db, Scratch scratch, String sql) {
    return new Statement(database, db, sql, () -> Statements.prepare(db, scratch, sql));
  }

  /** Binds an integer. */
  public Statement bind(int parameter, long value) {
    return bind(stmt -> Statements.bind(stmt, parameter, value));
  }

  /** Binds a floating-point number. SQLite stores NaN as NULL. */
  public Statement bind(int parameter, double value) {
    return bind(stmt -> Statements.bind(stmt, parameter, value));
  }

  /** Binds a text, which may have any characters, including 0; null binds NULL. */
  public Statement bind(int parameter, @Nullable String text) {
    if (text == null) {
      return bind(stmt -> Statements.bindText(stmt, parameter, 0, 0));
    }
    try (Scratch scratch = Scratch.of(text)) {
      return bind(stmt -> Statements.bindText(stmt, parameter, scratch.bytes(), scratch.length()));
    }
  }

  /** Runs the statement to its end. Its rows are dropped. */
  public void execute() {
    withLong(stmt -> runToEnd(idle(stmt)));
  }

  private int runToEnd(long stmt) {
    int code;
    mayBeBusy = true;
    do {
      code = Statements.step(stmt);
    } while (code == Statements.ROW);
    mayBeBusy = false;
    try {
      if (code != Statements.DONE) {
        throw failure(code);
      }
      return code;
    } finally {
      Statements.reset(stmt);
    }
  }

  /**
   * Runs the statement to its first row. The caller closes the rows before the next {@code bind},
   * {@code execute} or {@code query}. They close themselves after the last row.
   */
  public Rows query() {
    return with(stmt -> Rows.open(this, idle(stmt)));
  }

  /** A statement that is not at its end has rows that are open, or that the net will reset. */
  private long idle(long stmt) {
    if (mayBeBusy) {
      requireIdle(stmt);
      mayBeBusy = false; // they were closed, or reset by the net
    }
    return stmt;
  }

  private void requireIdle(long stmt) {
    if (Statements.isBusy(stmt)) {
      throw new IllegalStateException(
          "the rows of the last query are open; close them first: " + sql);
    }
  }

  /** SQLite itself refuses to bind parameters of a statement that is busy. */
  private Statement bind(LongUse binding) {
    withLong(stmt -> checked(stmt, (int) binding.apply(stmt)));
    return this;
  }

  private int checked(long stmt, int code) {
    if (code == SqliteException.MISUSE) {
      requireIdle(stmt);
    }
    if (code != Sqlite.OK) {
      throw failure(code);
    }
    return code;
  }

  SqliteException failure(int code) {
    return SqliteException.of(db, code, sql);
  }

  /** Copies a text of the current row. The address is 0 for NULL, and if SQLite has no memory. */
  byte @Nullable [] text(long stmt, int column) {
    byte[] utf8 = Statements.text(stmt, column);
    if (utf8 == null && SqliteException.isOutOfMemory(db)) {
      throw failure(Sqlite.NOMEM);
    }
    return utf8;
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
