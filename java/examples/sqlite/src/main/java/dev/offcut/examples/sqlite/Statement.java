package dev.offcut.examples.sqlite;

import dev.offcut.handle.CloseInUse;
import dev.offcut.handle.CloseWithChildren;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.HandleType;
import java.util.Objects;
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
          .rehearse(0)
          .childOf(Database.TYPE)
          .closeInUse(CloseInUse.DEFER)
          .closeWithChildren(CloseWithChildren.CASCADE)
          .create();

  private final String sql;

  /**
   * False only if the last step is known to have given no row: else SQLite is asked. Set before a
   * step, which may end with a full stack, and by assignments alone, which need none.
   */
  boolean mayBeBusy;

  /** The opener is made before the handle: between its place in the net and its open, nothing. */
  private Statement(Database database, String sql, Opener opener) {
    super(database);
    this.sql = sql;
    open(opener);
  }

  static Statement prepare(Database database, long db, Scratch scratch, String sql) {
    return new Statement(database, sql, () -> Statements.prepare(db, scratch, sql));
  }

  /** Binds NULL. */
  public Statement bindNull(int parameter) {
    return bind(stmt -> Bindings.bindNull(stmt, parameter));
  }

  /** Binds an integer. */
  public Statement bind(int parameter, long value) {
    return bind(stmt -> Bindings.bindLong(stmt, parameter, value));
  }

  /** Binds a floating-point number. SQLite stores NaN as NULL. */
  public Statement bind(int parameter, double value) {
    return bind(stmt -> Bindings.bindDouble(stmt, parameter, value));
  }

  /**
   * Binds a text, which may have any characters, including 0; null binds NULL.
   *
   * @throws IllegalArgumentException if the text has half a surrogate pair
   */
  public Statement bind(int parameter, @Nullable String text) {
    if (text == null) {
      return bindNull(parameter);
    }
    try (Scratch scratch = Scratch.of(text)) {
      return bind(stmt -> Bindings.bindText(stmt, parameter, scratch));
    }
  }

  /** Binds a blob, which may be empty; null binds NULL. */
  public Statement bind(int parameter, byte @Nullable [] blob) {
    if (blob == null) {
      return bindNull(parameter);
    }
    try (Scratch scratch = Scratch.of(blob)) {
      return bind(stmt -> Bindings.bindBlob(stmt, parameter, scratch));
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
        throw failure(stmt, code);
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

  /** Returns how many columns the rows have; 0 for a statement that returns no rows. */
  public int columnCount() {
    return (int) withLong(Columns::count);
  }

  /** Returns the name of a column, numbered from 0. */
  public String columnName(int column) {
    Objects.checkIndex(column, columnCount());
    return with(
        stmt -> {
          long name = Columns.name(stmt, column);
          if (name == 0) {
            throw failure(stmt, Sqlite.NOMEM);
          }
          return Scratch.text(name);
        });
  }

  /** The text it was compiled from. */
  public String sql() {
    return sql;
  }

  /**
   * A statement that has given a row and is not at its end has open rows, or forgotten ones, which
   * the net will reset: to run it now would end in the middle.
   */
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
    if (code == Failure.MISUSE) {
      requireIdle(stmt);
    }
    if (code != Sqlite.OK) {
      throw failure(stmt, code);
    }
    return code;
  }

  SqliteException failure(long stmt, int code) {
    return Failure.ofStatement(stmt, code, sql);
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
