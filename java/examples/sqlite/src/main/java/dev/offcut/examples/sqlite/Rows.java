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
 * their release resets the statement. They close themselves after the last row. Texts and blobs are
 * copies and stay valid.
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
   * The first step is taken by query. So the statement is busy, in SQLite's sense, as long as there
   * are rows that have not been released, and only then: Statement.idle relies on it. A statement
   * whose last step gave no row is not busy, whoever has stepped it: its rows tell it of each step.
   */
  static final HandleType TYPE =
      HandleType.named("sqlite3_rows")
          .releaser(Statements::reset)
          .rehearse(0)
          .childOf(Statement.TYPE)
          .closeInUse(CloseInUse.DEFER)
          .create();

  private final Statement statement;
  private final int columns;
  private boolean onRow;
  private boolean atEnd;

  /** The opener is made before the handle: between its place in the net and its open, nothing. */
  private Rows(Statement statement, FirstStep first) {
    super(statement);
    this.statement = statement;
    open(first);
    columns = first.columns;
  }

  static Rows open(Statement statement, long stmt) {
    FirstStep first = new FirstStep(statement, stmt);
    Rows rows = new Rows(statement, first);
    if (first.code == Statements.DONE) {
      rows.end();
    }
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
      Columns.link(); // before the step: what is called after it must not need memory
    }

    @Override
    public long open() {
      statement.mayBeBusy = true;
      code = Statements.step(stmt);
      statement.mayBeBusy = code == Statements.ROW;
      if (code != Statements.ROW && code != Statements.DONE) {
        try {
          throw statement.failure(stmt, code);
        } finally {
          Statements.reset(stmt);
        }
      }
      columns = Columns.count(stmt); // after a change of the schema not what it was
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
    int code = onRow ? (int) withLong(this::step) : first();
    onRow = true;
    if (code == Statements.DONE) {
      end();
    }
    return code == Statements.ROW;
  }

  /** The step was taken by the query; what is left is to see that nobody closed the rows. */
  private int first() {
    return (int) withLong(stmt -> Statements.ROW);
  }

  private int step(long stmt) {
    int code = Statements.step(stmt);
    statement.mayBeBusy = code == Statements.ROW;
    if (code == Statements.ROW || code == Statements.DONE) {
      return code;
    }
    try {
      throw statement.failure(stmt, code);
    } finally {
      close();
    }
  }

  private void end() {
    atEnd = true;
    close();
  }

  /** Returns how many columns each row has. */
  public int columnCount() {
    return columns;
  }

  /** Returns whether the column is NULL. Call it before the column is read as another type. */
  public boolean isNull(int column) {
    return withLong(stmt -> Columns.type(onRow(stmt, column), column)) == Columns.NULL;
  }

  /** Returns the column as an integer. */
  public long getLong(int column) {
    return withLong(stmt -> Columns.getLong(onRow(stmt, column), column));
  }

  /** Returns the column as a floating-point number. */
  public double getDouble(int column) {
    return with(stmt -> Columns.getDouble(onRow(stmt, column), column));
  }

  /** Returns the column as text, or null. Bytes that are not UTF-8 become U+FFFD. */
  public @Nullable String text(int column) {
    byte[] utf8 = with(stmt -> copyText(onRow(stmt, column), column));
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }

  /** Returns a copy of the column's bytes, or null. */
  public byte @Nullable [] blob(int column) {
    return with(stmt -> copyBlob(onRow(stmt, column), column));
  }

  private byte @Nullable [] copyText(long stmt, int column) {
    return copy(stmt, Columns.text(stmt, column), column);
  }

  private byte @Nullable [] copyBlob(long stmt, int column) {
    return copy(stmt, Columns.blob(stmt, column), column);
  }

  /** The address is 0 for NULL, for an empty blob, and where SQLite had no memory to convert. */
  private byte @Nullable [] copy(long stmt, long address, int column) {
    if (address != 0) {
      return Scratch.copy(address, Columns.bytes(stmt, column));
    }
    if (Failure.isOutOfMemory(stmt)) {
      throw statement.failure(stmt, Sqlite.NOMEM);
    }
    return Columns.type(stmt, column) == Columns.NULL ? null : new byte[0];
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
