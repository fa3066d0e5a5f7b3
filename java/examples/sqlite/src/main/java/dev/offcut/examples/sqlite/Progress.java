package dev.offcut.examples.sqlite;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * How far the run is, on stderr: a line that is rewritten on a terminal, a line a phase and each
 * half minute when asked for with {@code --verbose}, else nothing.
 *
 * <p>{@link #add} may come from any thread, the rest from the one that runs.
 */
final class Progress implements AutoCloseable {
  /** How it is shown. */
  enum Style {
    BAR(200),
    LINES(30_000),
    SILENT(0);

    private final long periodMillis;

    Style(long periodMillis) {
      this.periodMillis = periodMillis;
    }
  }

  private static final int CELLS = 28;
  private static final String ERASE = "\r\033[K";

  private final PrintStream err;
  private final Style style;
  private final LongAdder done = new LongAdder();

  // Guarded by this.
  private String label = "";
  private String unit = "";
  private long total;
  private long began;
  private boolean closed;

  /** For the running thread alone. */
  private long reached;

  Progress(PrintStream err, Style style) {
    this.err = err;
    this.style = style;
    if (style != Style.SILENT) {
      Thread.ofPlatform().name("progress").daemon().start(this::show);
    }
  }

  /** Begins a phase; {@code total} is 0 if it is not known. */
  synchronized void begin(String phase, String of, long end) {
    label = phase;
    unit = of;
    total = end;
    began = System.nanoTime();
    reached = 0;
    done.reset();
    if (style == Style.LINES) {
      err.println("offcut: " + phase);
    }
  }

  /** The phase has come so much further. */
  void add(long amount) {
    done.add(amount);
  }

  /** The phase has come so far. */
  void reached(long position) {
    done.add(position - reached);
    reached = position;
  }

  private synchronized void show() {
    try {
      while (!closed) {
        wait(style.periodMillis);
        if (!closed) {
          draw();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void draw() {
    String line = line(label, unit, done.sum(), total, System.nanoTime() - began);
    if (style == Style.BAR) {
      err.print(ERASE + line);
      err.flush();
    } else {
      err.println("offcut: " + line);
    }
  }

  /** As in "importing [#######.......] 50 % 412,000 rows/s 0:03 left". */
  static String line(String label, String unit, long done, long total, long nanos) {
    if (total <= 0 || done == 0) {
      return label;
    }
    double part = Math.min(1, (double) done / total);
    int full = (int) (part * CELLS);
    String bar = "#".repeat(full) + ".".repeat(CELLS - full);
    double seconds = nanos / 1e9;
    long left = Math.round(seconds * (1 - part) / part);
    return String.format(
        Locale.ROOT,
        "%-10s [%s] %3d %%  %s  %d:%02d left",
        label,
        bar,
        (int) (part * 100),
        rate(unit, done / seconds),
        left / 60,
        left % 60);
  }

  private static String rate(String unit, double each) {
    return unit.equals("bytes")
        ? String.format(Locale.ROOT, "%.1f MiB/s", each / (1 << 20))
        : String.format(Locale.ROOT, "%,.0f %s/s", each, unit);
  }

  /** Ends it; a bar leaves nothing behind. */
  @Override
  public synchronized void close() {
    if (!closed && style == Style.BAR) {
      err.print(ERASE);
      err.flush();
    }
    closed = true;
    notifyAll();
  }
}
