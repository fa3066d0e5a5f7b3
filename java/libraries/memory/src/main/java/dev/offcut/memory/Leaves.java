package dev.offcut.memory;

/**
 * One granule's leaves as the bits of a word: where chunks of 2^j leaves fit, j from 0 to 5.
 *
 * <p>A chunk of 2^j leaves begins at a multiple of 2^j. Nothing says which chunks are free: they
 * are the largest that fit between the bits that are set, so freed neighbours are one by
 * themselves.
 */
final class Leaves {
  /** Sizes of chunks within a granule: 1, 2, 4, 8, 16, 32 leaves. */
  static final int SIZES = 6;

  /** Bits at the multiples of 2^j. */
  private static final long[] ALIGNED = {
    -1L,
    0x5555_5555_5555_5555L,
    0x1111_1111_1111_1111L,
    0x0101_0101_0101_0101L,
    0x0001_0001_0001_0001L,
    0x0000_0001_0000_0001L,
  };

  private Leaves() {}

  /** The bits of a chunk of 2^j leaves. */
  static long mask(int at, int j) {
    return run(at, 1 << j);
  }

  /** The bits of so many leaves, 1 to 64. */
  static long run(int at, int count) {
    return (-1L >>> (Long.SIZE - count)) << at;
  }

  /** For each j a bit: whether a chunk of exactly 2^j leaves is free, its other half not. */
  static int sizesFree(long use) {
    int sizes = 0;
    long fits = ~use;
    for (int j = 0; j < SIZES; j++) {
      long larger = j + 1 < SIZES ? fitsNext(fits, j) : 0;
      if (exact(fits, larger, j) != 0) {
        sizes |= 1 << j;
      }
      fits = larger;
    }
    return sizes;
  }

  /** The lowest free chunk of exactly 2^j leaves, or -1. */
  static int lowest(long use, int j) {
    long fits = ~use;
    for (int i = 0; i < j; i++) {
      fits = fitsNext(fits, i);
    }
    long exact = exact(fits, j + 1 < SIZES ? fitsNext(fits, j) : 0, j);
    return exact == 0 ? -1 : Long.numberOfTrailingZeros(exact);
  }

  /** How many leaves are free from one on. */
  static int freeFrom(long use, int at) {
    return Math.min(Long.SIZE - at, Long.numberOfTrailingZeros(use >>> at));
  }

  /** How many leaves are free before one. */
  static int freeBefore(long use, int at) {
    return at == 0 ? 0 : Math.min(at, Long.numberOfLeadingZeros(use << (Long.SIZE - at)));
  }

  /** How many leaves the chunk has that begins at one: up to the next chunk, or to a free leaf. */
  static int length(long use, long start, int at) {
    int used = Math.min(Long.SIZE - at, Long.numberOfTrailingZeros(~(use >>> at)));
    long next = start >>> at & ~1L;
    return Math.min(used, Long.numberOfTrailingZeros(next));
  }

  /** The power of two that is the largest up to a number, as its exponent. */
  static int log2(int positive) {
    return 31 - Integer.numberOfLeadingZeros(positive);
  }

  private static long fitsNext(long fits, int j) {
    return fits & (fits >>> (1 << j)) & ALIGNED[j + 1];
  }

  /** Those that fit and are no half of a larger one that does. */
  private static long exact(long fits, long larger, int j) {
    return fits & ~(larger | larger << (1 << j));
  }
}
