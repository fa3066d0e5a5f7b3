package dev.offcut.examples.sqlite;

import dev.offcut.handle.CloseInUse;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.HandleType;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one query, one at a time.
 *
 * <pre>{@code
 * try (Rows rows = statement.query()) {
 *   while (rows.next()) {
 *     System.out.println(rows.text(0) + " " + rows.getLong(1));
 *   }
 * }
 * }</pre>
 *
 * <p><b>Ownership.</b> Rows are a child of their statement. They stand for its running query, and
 * their release resets the statement. They close themselves after the last row. Texts are copies
 * and stay valid.
 *
 * <p><b>Columns</b> are numbered from 0. SQLite converts a value of another type than the requested
 * one: NULL becomes the number 0, a number becomes its digits as text.
 *
 * <p><b>Threads.</b> One thread at a time uses a statement and its rows. A {@link #close} from
 * another thread takes effect when the running call returns.
 *
 * <p><b>Failures.</b> {@link SqliteException}; {@link IllegalStateException} if a column is read
 * before the first {@link #next}; {@link IndexOutOfBoundsException} if there is no such column;
 * {@link dev.offcut.handle.ClosedHandleException} after close and after the last row.
 */
public final class Rows extends GuardedHandle {
  /*
   *   query ──▶ (ahead) ──next──▶ onRow ──next──▶ atEnd, closed
   *                                 ▲ │
   *                                 └─┘
   *
   * The query takes the first step. So the statement is busy, in SQLite's sense, exactly as long as
   * it has rows that have not been released: Statement.idle relies on it.
   */
  static final HandleType TYPE =
      HandleType.named("sqlite3_rows")
          .releaser(Statements::reset)
          .childOf(Statement.TYPE)
          .closeInUse(CloseInUse.DEFER)
          .create();

  private final Statement statement;
  private final int columns;
  private boolean onRow;
  private boolean atEnd;

  private Rows(Statement statement, FirstStep first) {
    super(statement);
    this.statement = statement;
    open(first);
    columns = first.columns;
  }

  static Rows open(Statement statement, long stmt) {
    FirstStep first = new FirstStep(statement, stmt);
    Rows rows = new Rows(statement, first);
    rows.endIf(first.code == Statements.DONE);
    return rows;
  }

  /** The "native open": leaves the statement busy, at its end, or, failed, as it was. */
  private static final class FirstStep implements Opener {
    private final Statement statement;
    private final long stmt;
    private int code;
    private int columns;

    FirstStep(Statement statement, long stmt) {
      this.statement = statement;
      this.stmt = stmt;
    }

    @Override
    public long open() {
      statement.mayBeBusy = true;
      code = Statements.step(stmt);
      statement.mayBeBusy = code == Statements.ROW;
      if (code != Statements.ROW && code != Statements.DONE) {
        try {
          throw statement.failure(code);
        } finally {
          Statements.reset(stmt);
        }
      }
      columns = Statements.columns(stmt); // after a change of the schema not what it was
      return stmt;
    }
  }

  /**
   * Goes to the next row; the first call goes to the first row. After the last row it closes the
   * rows and returns false.
   */
  public boolean next() {
    if (atEnd) {
      return false;
    }
    // The query took the first step: then it is only checked that nobody has closed the rows.
    int code = (int) withLong(stmt -> onRow ? step(stmt) : Statements.ROW);
    onRow = true;
    endIf(code == Statements.DONE);
    return !atEnd;
  }

  private void endIf(boolean isDone) {
    if (isDone) {
      atEnd = true;
      close();
    }
  }

  private int step(long stmt) {
    int code = Statements.step(stmt);
    statement.mayBeBusy = code == Statements.ROW;
    if (code == Statements.ROW || code == Statements.DONE) {
      return code;
    }
    try {
      throw statement.failure(code);
    } finally {
      close();
    }
  }

  /** Returns the column as an integer. */
  public long getLong(int column) {
    return withLong(stmt -> Statements.getLong(onRow(stmt, column), column));
  }

  /** Returns the column as text, or null. Bytes that are not UTF-8 become U+FFFD. */
  public @Nullable String text(int column) {
    byte[] utf8 = with(stmt -> statement.text(onRow(stmt, column), column));
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }

  private long onRow(long stmt, int column) {
    Objects.checkIndex(column, columns);
    if (!onRow) {
      throw new IllegalStateException("there is no current row; call next() first");
    }
    return stmt;
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }
}
