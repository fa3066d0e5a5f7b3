package dev.offcut.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The figures of all sources, as rows. They are read when somebody asks for a row and the last
 * reading is half a second old: so all rows of one scrape are of one reading, and between scrapes
 * nothing runs and nothing is allocated.
 *
 * <p>Any thread may use it. An exporter is told of rows that come and go without the lock: it takes
 * locks of its own, which others hold while they ask for a value.
 */
final class Readings {
  /** What exports the rows. */
  interface Exporter {
    void added(Row row);

    void removed(Row row);
  }

  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final List<Source> sources;
  private final LongSupplier nanoTime;
  private final Map<Row.Key, Row> rows = new HashMap<>();

  /** Rows that came or went, of which the exporter was not told; empty without an exporter. */
  private final Queue<Row> changed = new ConcurrentLinkedQueue<>();

  private @Nullable Exporter exporter;
  private long reading;
  private long readAt;

  Readings(List<Source> sources, LongSupplier nanoTime) {
    this.sources = sources;
    this.nanoTime = nanoTime;
  }

  /** Reads for the first time, and tells the exporter of all rows; from then on, of changes. */
  void begin(Exporter to) {
    synchronized (this) {
      exporter = to;
      read();
    }
    tell(to);
  }

  /** Reads, unless the last reading is fresh. */
  void look() {
    Exporter to;
    synchronized (this) {
      to = exporter;
      if (reading > 0 && nanoTime.getAsLong() - readAt < FRESH_NANOS) {
        return;
      }
      read();
    }
    if (to != null) {
      tell(to);
    }
  }

  /** The value of a row, by a reading that is fresh; not a number if the row is gone. */
  double value(Row row) {
    look();
    synchronized (this) {
      return row.gone ? Double.NaN : row.value;
    }
  }

  /** The rows of the last reading. */
  synchronized List<Row> rows() {
    return new ArrayList<>(rows.values());
  }

  /** All rows are gone, and nothing is read any more. */
  void end() {
    Exporter to;
    synchronized (this) {
      to = exporter;
      sources.clear();
      rows.values().forEach(this::remove);
      rows.clear();
      exporter = null;
    }
    if (to != null) {
      tell(to);
    }
  }

  private void read() {
    reading++;
    for (Source source : sources) {
      add(Metric.SOURCE_PRESENT, source.name, source.readOrSay(this) ? 1 : 0);
    }
    for (Iterator<Row> all = rows.values().iterator(); all.hasNext(); ) {
      Row row = all.next();
      if (row.reading != reading) {
        all.remove();
        remove(row);
      }
    }
    readAt = nanoTime.getAsLong();
  }

  private void remove(Row row) {
    row.gone = true;
    noteChanged(row);
  }

  private void noteChanged(Row row) {
    if (exporter != null) {
      changed.add(row);
    }
  }

  /** A row may be in the queue twice, and another thread may be about to add it. */
  private void tell(Exporter to) {
    for (Row row = changed.poll(); row != null; row = changed.poll()) {
      if (!row.gone) {
        to.added(row);
      }
      if (row.gone) {
        to.removed(row);
      }
    }
  }

  // By sources, during a reading.

  /** Adds to a row of this reading. */
  void add(Metric metric, String label, long value) {
    add(row(metric, label, null), (double) value);
  }

  void add(Metric metric, String label, String other, long value) {
    add(row(metric, label, other), (double) value);
  }

  private void add(Row row, double value) {
    double before = row.reading == reading ? row.value : 0;
    row.reading = reading;
    row.value = before + value;
  }

  /** Raises a row of this reading to a value. */
  void raise(Metric metric, String label, double value) {
    Row row = row(metric, label, null);
    double before = row.reading == reading ? row.value : value;
    row.reading = reading;
    row.value = Math.max(before, value);
  }

  private Row row(Metric metric, String label, @Nullable String other) {
    Row.Key key = new Row.Key(metric, label, other);
    Row row = rows.get(key);
    if (row == null) {
      row = new Row(key);
      rows.put(key, row);
      noteChanged(row);
    }
    return row;
  }

  /** One series: a metric, the values of its labels, and its value at the last reading. */
  static final class Row {
    /** By which a row is found again. */
    record Key(Metric metric, String first, @Nullable String second) {}

    final Key key;

    /** Under the lock of {@link Readings}, as the next one. */
    double value;

    /** The reading that it is of. */
    long reading;

    /** No longer read: what exports it has to take it out. */
    volatile boolean gone;

    /** What the exporter keeps of it. */
    volatile @Nullable Object exported;

    Row(Key key) {
      this.key = key;
    }

    Metric metric() {
      return key.metric;
    }

    /** The value of a label, by its place among the labels of the metric. */
    String label(int place) {
      String second = key.second;
      return place == 0 || second == null ? key.first : second;
    }

    /** Tells all labels and their values, in the order of the metric. */
    void labels(BiConsumer<String, String> to) {
      List<String> names = metric().labels();
      for (int i = 0; i < names.size(); i++) {
        to.accept(names.get(i), label(i));
      }
    }
  }
}
