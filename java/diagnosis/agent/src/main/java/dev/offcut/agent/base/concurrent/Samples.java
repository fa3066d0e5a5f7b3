package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;

/**
 * Which openings leave their stack. Of each stripe and kind the first few do, each for itself, so
 * that a program that opens little is known in full. Then points decide: an opening has as many as
 * one in so many means, and one for each of its bytes. Between two that leave their stack lie
 * points at random, {@link #MEAN_BYTES} in the mean, so that each opening and each byte has its
 * chance, and programs that open in turns are no exception. What has {@link #LARGE} bytes leaves
 * its stack always.
 *
 * <p>So one of a size has a chance that is known, and if it leaves its stack it stands for as many
 * as that says: {@link #weight}.
 *
 * <p>An arena is opened without bytes, which it gets later. Its opening stands for the openings
 * alone. If it left no stack, each allocation that reaches a sample leaves one where the arena is
 * filled: {@link #filledWeight}. The two are never mixed, since the line that fills an arena need
 * not be the one that opened it.
 *
 * <p>An opening that left its stack is a {@code token}: the number of its {@link CallSite}, and
 * whether it stands for many; 0 is one that did not.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Samples {
  /** One in so many; 0: none, 1: all. */
  public static final int EVERY = TrackingSettings.SAMPLE;

  /** Of so many bytes one is a reason to leave a stack. */
  public static final int MEAN_BYTES = 512 << 10;

  /** So many are always a reason, as far as there are samples. */
  private static final long LARGE = EVERY == 0 ? Long.MAX_VALUE : MEAN_BYTES;

  /** What an opening stands for is counted in units, of which one has 2^UNIT_BITS. */
  static final int UNIT_BITS = 10;

  static final long UNIT = 1L << UNIT_BITS;

  /**
   * Openings of a stripe and kind that all leave their stack. More cost the start more: a stack is
   * a microsecond, and one that is new a hundred.
   */
  private static final int FIRST = 64;

  /**
   * The same of kinds that a rule names, of which a program has few, and each costs it more: lines
   * that forget one in twenty are known, and how many are open over time.
   */
  private static final int FIRST_WATCHED = 1 << 10;

  /**
   * Points of an opening without bytes: one in so many of those leaves its stack. By the logarithm
   * that the JVM has at hand: the JDK's for numbers near 1 is two classes more, and rounds to the
   * same.
   */
  private static final long POINTS =
      EVERY < 2 ? 1 : Math.round(-MEAN_BYTES * Math.log(1 - 1.0 / EVERY));

  /**
   * Reallocations of blocks that left their stack anyway which do so again. After these, chance
   * decides: a program may reallocate one block for ever, and a stack costs more than that. A race
   * lets a few more through.
   */
  private static int again = 16 * FIRST;

  /** A race gives two threads the same gap. */
  private static int random = 0x9E3779B9;

  static {
    long next = first();
    for (int kind = 0; kind < Kind.COUNT; kind++) {
      for (int stripe = 0; stripe < Counts.stripeCount(); stripe++) {
        Counts.CELLS[Counts.cell(kind, stripe) + Counts.NEXT] = next;
      }
    }
  }

  private Samples() {}

  /** Where the first stack of a kind is to be taken. */
  static long first() {
    return EVERY == 0 ? Long.MAX_VALUE : 0;
  }

  /** Counts an opening; its token. */
  public static int opened(int kind, long bytes) {
    if (Probes.isProbe(kind)) {
      return Probes.opened(kind, bytes);
    }
    int cell = Counts.cell(kind);
    long[] cells = Counts.cells(kind);
    long before = Atomics.add(cells, cell + Counts.OPENED, 1);
    int at = cell + Counts.OPENED_BYTES;
    long held = bytes == 0 ? cells[at] : Atomics.add(cells, at, bytes);
    long points = (before + 1) * POINTS + held + bytes;
    // A plain read: the worst is a stack taken later, or the attempt to take one in vain.
    return points <= cells[cell + Counts.NEXT] && bytes < LARGE
        ? 0
        : take(kind, cells, cell, before, points, bytes);
  }

  /** The same of a kind of which each opening leaves its stack, if any does. */
  static int openedExactly(int kind) {
    Counts.add(kind, Counts.cell(kind), Counts.OPENED, 1);
    return EVERY == 0 ? 0 : Sites.open(kind, false, 0);
  }

  private static int take(int kind, long[] cells, int cell, long before, long points, long bytes) {
    boolean many = EVERY > 1 && before >= (kind < Counts.FIRST_WATCHED ? FIRST : FIRST_WATCHED);
    // Asked first: who comes past a sample says where the next one is.
    if (many && !isNext(cells, cell, points, POINTS + bytes) && bytes < LARGE) {
      return 0;
    }
    Counts.lookForPeak(kind);
    return Sites.open(kind, many, bytes);
  }

  /**
   * Whether a sample lies within the last points. Of threads that come at a time one finds it, and
   * says where the next one is.
   */
  private static boolean isNext(long[] cells, int cell, long points, long last) {
    int at = cell + Counts.NEXT;
    long next = cells[at];
    if (next == 0) {
      // The first that is past those which all leave their stack: from here on points count.
      next = points - last + gap();
      if (!Atomics.replace(cells, at, 0, next)) {
        return false;
      }
    }
    return points > next
        && Atomics.replace(cells, at, next, points + gap())
        && next >= points - last;
  }

  /**
   * Counts bytes that an open one has got. Whether it is to leave its stack, if it has left none.
   */
  public static boolean grown(int kind, long bytes) {
    int cell = Counts.cell(kind);
    return isNextAt(cell, Counts.add(cell, Counts.OPENED_BYTES, bytes) + bytes, bytes);
  }

  /** Counts that an open one has other bytes than before. */
  static void resized(int kind, long before, long after) {
    int cell = Counts.cell(kind);
    Counts.add(cell, Counts.OPENED_BYTES, after);
    Counts.add(cell, Counts.FREED_BYTES, before);
  }

  /**
   * Takes the stack of a block that was allocated anew with other bytes, or not, by the same chance
   * as that of an opening; its token. The block is at one place only: that of its last allocation.
   */
  static int reopened(int kind, int before, long bytes) {
    boolean isKnown = before != 0 && (before & 1) == 0 && again > 0;
    if (isKnown) {
      again--;
    }
    if (EVERY == 0 || (!isKnown && EVERY > 1 && bytes < LARGE && uniform() >= chance(bytes))) {
      return 0;
    }
    return Sites.reopen(kind, EVERY > 1 && !isKnown, bytes);
  }

  private static boolean isNextAt(int cell, long held, long last) {
    if (EVERY < 2) {
      return false;
    }
    long next = Counts.CELLS[cell + Counts.NEXT];
    long points = Counts.CELLS[cell + Counts.OPENED] * POINTS + held;
    return next != 0 && points > next && isNext(Counts.CELLS, cell, points, last);
  }

  /** Whether an allocation from an arena is so large that it leaves its stack always. */
  public static boolean isLarge(long bytes) {
    return EVERY > 1 && bytes >= LARGE;
  }

  /** For how many one of a size stands that left its stack, in units. */
  static long weight(long bytes) {
    return Math.round(UNIT / chance(bytes));
  }

  /** For how many allocations of a size from arenas one stands that left its stack. */
  static long filledWeight(long bytes) {
    return bytes >= LARGE ? UNIT : Math.round(UNIT / (1 - Math.exp(-(double) bytes / MEAN_BYTES)));
  }

  private static double chance(long bytes) {
    return bytes >= LARGE || EVERY == 1
        ? 1
        : 1 - (1 - 1.0 / EVERY) * Math.exp(-(double) bytes / MEAN_BYTES);
  }

  /** To the next sample: each point has the same chance, whatever was before. */
  private static long gap() {
    return 1 + (long) (-MEAN_BYTES * Math.log(uniform()));
  }

  /** Above 0, up to 1. */
  private static double uniform() {
    int x = random;
    x ^= x << 13; // Marsaglia, Xorshift RNGs, 2003
    x ^= x >>> 17;
    x ^= x << 5;
    random = x;
    return ((x & 0xffffffffL) + 1) / (double) (1L << 32);
  }
}
