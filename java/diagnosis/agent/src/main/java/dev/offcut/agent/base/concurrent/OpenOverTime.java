package dev.offcut.agent.base.concurrent;

/**
 * The number of resources of a call site over time that had not ended, lost ones included. It
 * changes by openings and ends alone, so a second of a program is known as well as a day: of a few
 * points, and fewer and fewer a second.
 *
 * <p>A helper: any thread calls it, and it throws nothing.
 */
public final class OpenOverTime {
  /** Points; when there are as many, every other one goes. */
  static final int MOST = 32;

  /** Of a point the low bits are how many were open, the others are milliseconds since 1970. */
  private static final int OPEN_BITS = 20;

  private static final long MOST_OPEN = (1 << OPEN_BITS) - 1;

  private static final long BEGIN = System.currentTimeMillis();
  private static final long BEGIN_NANOS = System.nanoTime();
  private static final long NANOS = 1_000_000;

  /** When the JVM began to shut down: what ends from then on was open to the program's end. */
  private static volatile long ending;

  private final long[] times = new long[MOST];
  private final long[] open = new long[MOST];
  private int count;
  private long now;

  /** Milliseconds from one point to the next. */
  private long gap = 5;

  /** Nothing changes any more. */
  public static void end() {
    ending = ending == 0 ? now() : ending;
  }

  /** When it was called, in milliseconds since 1970; 0: it was not. */
  public static long ending() {
    return ending;
  }

  private static long now() {
    return BEGIN + (System.nanoTime() - BEGIN_NANOS) / NANOS;
  }

  /** So many more are open, in units of {@link Samples}. */
  synchronized void add(long delta) {
    if (ending != 0) {
      return;
    }
    long time = now();
    now += delta;
    if (count > 0 && time - times[count - 1] < gap) {
      open[count - 1] = now;
      return;
    }
    if (count == MOST) {
      for (int i = 0; i < MOST / 2; i++) {
        times[i] = times[2 * i + 1];
        open[i] = open[2 * i + 1];
      }
      count = MOST / 2;
      gap *= 2;
    }
    times[count] = time;
    open[count] = now;
    count++;
  }

  /** A point each: milliseconds, and how many were open from then on until the next. */
  synchronized long[] points() {
    long[] points = new long[count];
    for (int i = 0; i < count; i++) {
      long some = (open[i] + Samples.UNIT / 2) >> Samples.UNIT_BITS;
      points[i] = times[i] << OPEN_BITS | Math.max(0, Math.min(MOST_OPEN, some));
    }
    return points;
  }
}
