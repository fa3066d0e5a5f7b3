package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;

/**
 * Which openings leave their stack. Of each stripe and kind the first few do, each for itself, so
 * that a program that opens little is known in full; then one in so many does, at random gaps,
 * since programs open in turns, and stands for as many.
 *
 * <p>An opening that left its stack is a {@code token}: the number of its {@link CallSite}, and
 * whether it stands for many; 0 is one that did not.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class Samples {
  /** One in so many; 0: none, 1: all. */
  public static final int EVERY = TrackingSettings.SAMPLE;

  /**
   * Openings of a stripe and kind that all leave their stack. More cost the start more: a stack is
   * a microsecond, and one that is new a hundred.
   */
  private static final int FIRST = 64;

  /** A race gives two threads the same gap. */
  private static int random = 0x9E3779B9;

  static {
    long next = EVERY == 0 ? Long.MAX_VALUE : 0;
    for (int kind = 0; kind < Kind.COUNT; kind++) {
      for (int stripe = 0; stripe < Counts.stripeCount(); stripe++) {
        Counts.CELLS[Counts.cell(kind, stripe) + Counts.NEXT] = next;
      }
    }
  }

  private Samples() {}

  /** Counts an opening; its token. */
  public static int opened(int kind, long bytes) {
    if (Probes.isProbe(kind)) {
      return Probes.opened(kind, bytes);
    }
    int cell = Counts.cell(kind);
    long before = Counts.add(cell, Counts.OPENED, 1);
    if (bytes != 0) {
      Counts.add(cell, Counts.OPENED_BYTES, bytes);
    }
    // A plain read: the worst is a stack taken later, or the attempt to take one in vain.
    return before < Counts.CELLS[cell + Counts.NEXT] ? 0 : take(kind, cell, before, bytes);
  }

  private static int take(int kind, int cell, long before, long bytes) {
    if (EVERY > 1) {
      boolean first = before < FIRST;
      if (!first && !isNext(cell, before)) {
        return 0;
      }
      Counts.lookForPeak(kind);
      return Sites.open(kind, first ? 1 : EVERY, bytes);
    }
    Counts.lookForPeak(kind);
    return Sites.open(kind, 1, bytes);
  }

  /** Of threads that come at a time one takes its stack, and says when the next one does. */
  private static boolean isNext(int cell, long before) {
    int at = cell + Counts.NEXT;
    long next = Counts.CELLS[at];
    if (next < FIRST) {
      // The first that is past those: from here on gaps count.
      Atomics.replace(Counts.CELLS, at, next, before + gap());
      return false;
    }
    return before >= next && Atomics.replace(Counts.CELLS, at, next, before + gap());
  }

  /** From 1 on, in the mean as many as one in so many means. */
  private static int gap() {
    int x = random;
    x ^= x << 13; // Marsaglia, Xorshift RNGs, 2003
    x ^= x >>> 17;
    x ^= x << 5;
    random = x;
    return 1 + (int) (((x & 0xffffffffL) * (2L * EVERY - 1)) >>> 32);
  }
}
