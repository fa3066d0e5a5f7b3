package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The counts: of each kind how many were opened, closed by the program, collected (freed late, when
 * the collector found them) and lost (nobody can free them any more), and their bytes. What is open
 * is opened - closed - collected - lost.
 *
 * <p><b>Stripes.</b> Each number is there several times, and a thread adds to the one that the
 * JDK's own striped adders would take for it: atomically, so that nothing is missed, and mostly
 * alone. A kind's numbers of one stripe lie in one cache line. The last of them says when the next
 * stack is taken: {@link Samples}.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Counts {
  public static final int OPENED = 0;
  public static final int CLOSED = 1;
  public static final int COLLECTED = 2;
  public static final int LOST = 3;
  public static final int OPENED_BYTES = 4;

  /** Of those closed and collected. */
  public static final int FREED_BYTES = 5;

  public static final int LOST_BYTES = 6;

  /** In the place of {@link #NEXT} in a {@link CallSite}: how many stacks were taken. */
  public static final int SAMPLES = 7;

  /** No number, but where the next stack is to be taken, in points of {@link Samples}. */
  static final int NEXT = 7;

  /** Longs of a kind in a stripe: a cache line. */
  private static final int LINE = 8;

  /** Those of probes behind those of the program. */
  private static final int STRIPE = 2 * Kind.COUNT * LINE;

  /** More threads than this at a time share lines. */
  private static final int MOST_STRIPES = 64;

  private static final int MASK = stripes() - 1;

  /**
   * From this number on kinds are closeables by rule: which there are shows when their first object
   * is opened, and each has an array of its own.
   */
  static final int FIRST_WATCHED = 2 * Kind.COUNT;

  /** More kinds of closeables are not counted: a report is to be read. */
  private static final int MOST_WATCHED = 256;

  /** By number; replaced when there is one more, under the lock. */
  private static volatile long[][] watched = {};

  /** One line more than is used, which no other object shares. */
  static final long[] CELLS = new long[(MASK + 1) * STRIPE + LINE];

  /** How often a sum is tried, while others add. */
  private static final int LOOKS = 3;

  private static final long[] PEAKS = new long[2 * Kind.COUNT];

  /** Of those closed, those that nobody saw: so few that all threads add to one number. */
  private static final long[] UNSEEN = new long[2 * Kind.COUNT];

  /** Counts what the collector found, before the numbers are asked for: arenas. */
  public static volatile @Nullable Runnable drain;

  /** Likewise: closeables by rule. */
  static volatile @Nullable Runnable drainWatched;

  private Counts() {}

  private static int stripes() {
    int threads = 4 * Runtime.getRuntime().availableProcessors();
    int stripes = 8;
    while (stripes < threads && stripes < MOST_STRIPES) {
      stripes *= 2;
    }
    return stripes;
  }

  /** How many places a kind has. */
  static int stripeCount() {
    return MASK + 1;
  }

  /** Where the numbers of a kind are for this thread. */
  static int cell(int kind) {
    return cell(kind, probe() & MASK);
  }

  /** A number that threads differ in. */
  public static int probe() {
    int probe = Stock.Random.getProbe();
    if (probe == 0) {
      Stock.Random.localInit();
      probe = Stock.Random.getProbe();
    }
    return probe;
  }

  static int cell(int kind, int stripe) {
    return kind < FIRST_WATCHED ? stripe * STRIPE + kind * LINE : stripe * LINE;
  }

  /** A line of numbers for each stripe, and one more, which no other object shares. */
  static long[] places() {
    return new long[(MASK + 1) * LINE + LINE];
  }

  /** Where the line of this thread is in {@link #places}. */
  static int place() {
    return (probe() & MASK) * LINE;
  }

  /** The array that has the numbers of a kind. */
  static long[] cells(int kind) {
    return kind < FIRST_WATCHED ? CELLS : watched[kind - FIRST_WATCHED];
  }

  /** Makes room for one more kind of closeables; its number, or -1 if there are too many. */
  static synchronized int addWatched(long next) {
    long[][] all = watched;
    if (all.length == MOST_WATCHED) {
      return -1;
    }
    long[] cells = places();
    for (int stripe = 0; stripe <= MASK; stripe++) {
      cells[stripe * LINE + NEXT] = next;
    }
    long[][] more = new long[all.length + 1][];
    System.arraycopy(all, 0, more, 0, all.length);
    more[all.length] = cells;
    watched = more;
    return FIRST_WATCHED + all.length;
  }

  /** Adds to a number at a place; what was there before. */
  static long add(int cell, int what, long delta) {
    return Atomics.add(CELLS, cell + what, delta);
  }

  /** Adds to a number of a kind. */
  static void add(int kind, int cell, int what, long delta) {
    Atomics.add(cells(kind), cell + what, delta);
  }

  /** One was closed by the program. */
  public static void closed(int kind, long bytes) {
    ended(kind, CLOSED, bytes);
  }

  /** One must have been freed, though nobody saw it: its address is another one's now. */
  public static void unseen(int kind, long bytes) {
    Atomics.add(UNSEEN, kind, 1);
    closed(kind, bytes);
  }

  /** One was freed since the collector found it. */
  public static void collected(int kind, long bytes) {
    ended(kind, COLLECTED, bytes);
  }

  /** One ended as {@link #CLOSED} or {@link #COLLECTED}. */
  public static void ended(int kind, int how, long bytes) {
    int cell = cell(kind);
    add(kind, cell, how, 1);
    if (bytes != 0) {
      add(kind, cell, FREED_BYTES, bytes);
    }
  }

  /** One was found that nobody can close any more. */
  public static void lost(int kind, long bytes) {
    int cell = cell(kind);
    add(cell, LOST, 1);
    add(cell, LOST_BYTES, bytes);
  }

  /** Some bytes of an open one, or of one that has ended, were freed. */
  public static void freed(int kind, long bytes) {
    add(cell(kind), FREED_BYTES, bytes);
  }

  static long sum(int kind, int what) {
    long sum = 0;
    long[] cells = cells(kind);
    for (int stripe = 0; stripe <= MASK; stripe++) {
      sum += cells[cell(kind, stripe) + what];
    }
    return sum;
  }

  /**
   * The bytes of what is open, and of what is lost, which nobody frees: as they were at one moment,
   * if nothing ended while they were summed up; else, of a program that is never quiet, at most as
   * many. Too many would make a peak that never was: a reader that waits for a core meanwhile would
   * count what is freed as open.
   */
  private static long takenBytes(int kind) {
    long freed = sum(kind, FREED_BYTES);
    long opened = sum(kind, OPENED_BYTES);
    long now = sum(kind, FREED_BYTES);
    for (int look = 1; look < LOOKS && now != freed; look++) {
      freed = now;
      opened = sum(kind, OPENED_BYTES);
      now = sum(kind, FREED_BYTES);
    }
    return Math.max(0, opened - now);
  }

  /** Counts what the collector has found until now. */
  public static void drain() {
    Runnable counting = drain;
    if (counting != null) {
      counting.run();
    }
    Runnable watching = drainWatched;
    if (watching != null) {
      watching.run();
    }
  }

  /** Looks whether more bytes are taken than ever: a race may keep the smaller of two. */
  static void lookForPeak(int kind) {
    notePeak(kind, takenBytes(kind));
  }

  private static void notePeak(int kind, long bytes) {
    if (kind < FIRST_WATCHED && bytes > PEAKS[kind]) {
      PEAKS[kind] = bytes;
    }
  }

  /**
   * The numbers of a kind: opened, closed, collected, lost; then bytes: of all opened, of those
   * freed, of those lost, of those open now, and the most that were open or lost when it was looked
   * at; then how many of those closed nobody saw.
   */
  public static long[] of(int kind) {
    long[] numbers = new long[10];
    long taken = takenBytes(kind);
    numbers[7] = Math.max(0, taken - sum(kind, LOST_BYTES));
    notePeak(kind, taken);
    numbers[9] = kind < FIRST_WATCHED ? UNSEEN[kind] : 0;
    // What ended first, so that never more ended than were opened.
    for (int what : new int[] {CLOSED, COLLECTED, LOST, FREED_BYTES, LOST_BYTES}) {
      numbers[what] = sum(kind, what);
    }
    numbers[OPENED] = sum(kind, OPENED);
    numbers[OPENED_BYTES] = sum(kind, OPENED_BYTES);
    numbers[8] = kind < FIRST_WATCHED ? Math.max(PEAKS[kind], taken) : 0;
    return numbers;
  }
}
