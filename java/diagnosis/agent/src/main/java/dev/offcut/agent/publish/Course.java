package dev.offcut.agent.publish;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Figures over time: one row a second, and each time that there are too many, every other goes. */
final class Course {
  private static final String SCHEMA =
      "offcut.Series\ntime time\nresident long\nheap long\nhandles long\npauses long\n"
          + "pauseNanos long\npauseCause text\nheapUsed long\nheapAfter long";
  static final int MOST = 600;
  private static final int OWN_COLUMNS = 9;
  private static final long JITTER_MILLIS = 100;

  /** More closeables than this have no curve: each is a column in each row. */
  private static final int MOST_CLOSEABLES = 64;

  private final TableFile file;
  private TableFile.@Nullable Table table;

  /** Of each kind the column of its open ones; closeables have no bytes. */
  private final Map<String, Integer> columns = new HashMap<>();

  private final StringBuilder schema = new StringBuilder(SCHEMA);
  private int closeables;
  private long[] values = new long[OWN_COLUMNS];
  private long[] none = new long[0];

  /** The oldest first. */
  private final List<TableFile.Row> points = new ArrayList<>(MOST);

  private final List<TableFile.Row> free = new ArrayList<>(MOST);
  private long stepMillis = 1000;
  private long lastMillis;

  Course(TableFile file) {
    this.file = file;
  }

  /** Rows from now on have columns for all these kinds. */
  void widen(List<Ledger.KindCounts> counted) throws IOException {
    if (table != null && !isNew(counted)) {
      return;
    }
    int width = values.length;
    for (int i = 0; i < counted.size(); i++) {
      String kind = counted.get(i).kind();
      boolean isCloseable = kind.startsWith(Ledger.CLOSEABLE);
      if (!columns.containsKey(kind) && (!isCloseable || closeables < MOST_CLOSEABLES)) {
        columns.put(kind, width);
        schema.append('\n').append(kind).append(".open long");
        width++;
        if (isCloseable) {
          closeables++;
        } else {
          schema.append('\n').append(kind).append(".bytes long");
          width++;
        }
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
      if (!columns.containsKey(kind)
          && (closeables < MOST_CLOSEABLES || !kind.startsWith(Ledger.CLOSEABLE))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds a row.
   *
   * @param figures those between the time and the kinds
   * @param last it is kept, however close to the one before
   */
  void add(long now, List<Ledger.KindCounts> counted, long[] figures, boolean last)
      throws IOException {
    if (!last && now - lastMillis < stepMillis - JITTER_MILLIS && now > lastMillis) {
      return;
    }
    if (points.size() == MOST) {
      thin();
    }
    TableFile.Row row =
        free.isEmpty() ? Objects.requireNonNull(table).add() : free.remove(free.size() - 1);
    if (row == null) {
      return;
    }
    lastMillis = now;
    values[0] = now;
    System.arraycopy(figures, 0, values, 1, OWN_COLUMNS - 1);
    for (int i = 0; i < counted.size(); i++) {
      Ledger.KindCounts kind = counted.get(i);
      Integer at = columns.get(kind.kind());
      if (at != null) {
        values[at] = kind.open();
        if (!kind.kind().startsWith(Ledger.CLOSEABLE)) {
          values[at + 1] = kind.bytes() + kind.lostBytes();
        }
      }
    }
    row.set(values, 0);
    points.add(row);
  }

  /** A row without a time is none. */
  private void thin() throws IOException {
    int kept = 0;
    for (int i = 0; i < points.size(); i++) {
      TableFile.Row row = points.get(i);
      if (i % 2 == 0) {
        points.set(kept++, row);
      } else {
        row.set(none, 0);
        if (row.columns() == values.length) {
          free.add(row);
        }
      }
    }
    points.subList(kept, points.size()).clear();
    stepMillis *= 2;
  }
}
