package dev.offcut.bench.longmap;

import dev.offcut.bench.malloc.Malloc;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Addresses of blocks of mixed sizes that the C library's malloc gave, in the order in which it
 * gave them. The blocks live until this is closed, or as long as the process, so that all addresses
 * differ.
 *
 * <p>Keys that count up would not do: no allocator gives them, and they flatter maps that do not
 * mix their bits.
 */
final class Addresses implements AutoCloseable {
  private static final long SEED = 20_251_118;
  private static final int SMALLEST = 16;
  private static final int LARGEST = 256;

  /**
   * The parts of a recording are displaced by multiples of that: what glibc aligns its heaps to.
   */
  private static final long ALIGNED = 64L << 20;

  private final long[] all;

  private Addresses(long[] all) {
    this.all = all;
  }

  static Addresses malloc(int count) {
    SplittableRandom sizes = new SplittableRandom(SEED);
    long[] all = new long[count];
    for (int i = 0; i < count; i++) {
      all[i] = Malloc.malloc(sizes.nextInt(SMALLEST, LARGEST + 1));
    }
    return new Addresses(all);
  }

  /** Some of them, in order. */
  long[] part(int from, int count) {
    return Arrays.copyOfRange(all, from, from + count);
  }

  /** How far the lowest and the highest lie apart at most. */
  long span() {
    long lowest = Arrays.stream(all).min().orElse(0);
    long highest = Arrays.stream(all).max().orElse(0);
    return ((highest - lowest) / ALIGNED + 1) * ALIGNED;
  }

  @Override
  public void close() {
    for (long address : all) {
      Malloc.free(address);
    }
  }

  /**
   * A walk through recorded addresses, in the order of their allocation, that never comes back to
   * one. Where the recording ends, it goes on with the same recording below all others of it: as if
   * the process had gone on to allocate in the same manner, in fresh memory.
   */
  static final class Walk {
    private final long[] recorded;
    private final long span;
    private long below;
    private int at;

    /** {@code span} is that of all addresses in use, so that no two of them ever meet. */
    Walk(long[] recorded, long span) {
      this.recorded = recorded;
      this.span = span;
    }

    /** Another walk along the same way, from its start. */
    Walk again() {
      return new Walk(recorded, span);
    }

    long next() {
      if (at == recorded.length) {
        at = 0;
        below += span;
      }
      return recorded[at++] - below;
    }
  }
}
