package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Figures over time: the points of the last ten minutes, one a second or more, and before them one
 * a minute for a day.
 */
final class Course {
  /** The columns between the time and the kinds, in the order of the figures. */
  private static final String SCHEMA =
      """
      offcut.Series
      time time
      resident long
      heap long
      handles long
      pauses long
      pauseNanos long
      pauseCause text
      heapUsed long
      heapAfter long
      oldPauses long
      anonymous long
      file long
      threads long
      descriptors long
      classes long
      metaspace long
      compiled long
      fullPauses long""";

  private static final int OWN_COLUMNS = 18;

  /** Figures that a caller hands over. */
  static final int FIGURES = OWN_COLUMNS - 1;

  /** Ten minutes of them, and those of the first seconds. */
  static final int RECENT = 640;

  /** A day of minutes. */
  static final int MINUTES = 24 * 60;

  private static final long MINUTE = 60_000;

  private final TableFile file;
  private TableFile.@Nullable Table table;

  /** Of each kind that has bytes the column of its open ones; that of the bytes is the next. */
  private final Map<String, Integer> columns = new HashMap<>();

  private final StringBuilder schema = new StringBuilder(SCHEMA);
  private long[] values = new long[OWN_COLUMNS];
  private long[] none = new long[0];

  /** A row, and the time of its point. */
  private record Point(TableFile.Row row, long time) {}

  // The oldest first.
  private final ArrayDeque<Point> recent = new ArrayDeque<>(RECENT + 1);
  private final ArrayDeque<Point> minutes = new ArrayDeque<>();
  private final ArrayDeque<TableFile.Row> free = new ArrayDeque<>();

  Course(TableFile file) {
    this.file = file;
  }

  /**
   * Adds what the process had when the agent began: until the first tick it may take a lot more.
   *
   * @param noText the number of an empty text
   */
  void begin(long time, ProcessStatus process, long noText) throws IOException {
    long[] figures = new long[FIGURES];
    Arrays.fill(figures, -1);
    figures[0] = process.resident;
    figures[5] = noText;
    figures[9] = process.anonymous;
    figures[10] = process.ofFiles;
    figures[11] = process.threads;
    figures[12] = process.descriptors;
    widen(List.of());
    add(time, List.of(), figures);
  }

  /** Rows from now on have columns for all these kinds. */
  void widen(List<Ledger.KindCounts> counted) throws IOException {
    if (table != null && !isNew(counted)) {
      return;
    }
    int width = values.length;
    for (int i = 0; i < counted.size(); i++) {
      String kind = counted.get(i).kind();
      if (!columns.containsKey(kind) && !kind.startsWith(Ledger.CLOSEABLE)) {
        columns.put(kind, width);
        schema.append('\n').append(kind).append(".open long");
        schema.append('\n').append(kind).append(".bytes long");
        width += 2;
      }
    }
    values = new long[width];
    none = new long[width];
    free.clear();
    table = file.table(schema.toString());
  }

  /** Whether a kind has no column that is to have one. */
  private boolean isNew(List<Ledger.KindCounts> counted) {
    for (int i = 0; i < counted.size(); i++) {
      String kind = counted.get(i).kind();
      if (!columns.containsKey(kind) && !kind.startsWith(Ledger.CLOSEABLE)) {
        return true;
      }
    }
    return false;
  }

  /** Adds a row. {@code figures}: those between the time and the kinds. */
  void add(long now, List<Ledger.KindCounts> counted, long[] figures) throws IOException {
    TableFile.Row row = free.isEmpty() ? Objects.requireNonNull(table).add() : free.poll();
    if (row == null) {
      return;
    }
    values[0] = now;
    System.arraycopy(figures, 0, values, 1, FIGURES);
    for (int i = 0; i < counted.size(); i++) {
      Ledger.KindCounts kind = counted.get(i);
      Integer at = columns.get(kind.kind());
      if (at != null) {
        values[at] = kind.open();
        values[at + 1] = kind.bytes() + kind.lostBytes();
      }
    }
    row.set(values, 0);
    recent.add(new Point(row, now));
    if (recent.size() > RECENT) {
      age(recent.remove());
    }
  }

  /** Of a minute the first point is kept. */
  private void age(Point point) throws IOException {
    Point last = minutes.peekLast();
    if (last != null && point.time - last.time < MINUTE) {
      drop(point.row);
      return;
    }
    minutes.add(point);
    if (minutes.size() > MINUTES) {
      drop(minutes.remove().row);
    }
  }

  /** A row without a time is empty. */
  private void drop(TableFile.Row row) throws IOException {
    if (row.columns() == values.length) {
      row.set(none, 0);
      free.add(row);
    } else {
      row.set(new long[row.columns()], 0);
    }
  }
}
