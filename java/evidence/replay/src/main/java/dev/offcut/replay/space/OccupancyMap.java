package dev.offcut.replay.space;

/**
 * Who lives in a node, in a bit for each smallest chunk, in one or two layers.
 *
 * <pre>
 *   chunk starts here   1 0 0 1 1 0 0 0     left out where every chunk is aligned to its size
 *   part of one in use  1 1 1 0 1 1 1 1
 * </pre>
 *
 * A region of up to 64 smallest chunks that is aligned to its size lies in one word of a layer, so
 * that one load tells whether anything in it is in use: a medium chunk of class space is half a
 * word, one elsewhere a whole one.
 */
final class OccupancyMap {
  private static final int WORD_BITS = Long.SIZE;

  private final int unit;
  private final long[] starts;
  private final long[] inUse;

  /**
   * @param words the size of the node
   * @param unit the size of the smallest chunk
   * @param withStarts whether there is a layer of starts
   */
  OccupancyMap(long words, int unit, boolean withStarts) {
    this.unit = unit;
    int length = Math.toIntExact(Math.ceilDiv(words / unit, WORD_BITS));
    this.starts = new long[withStarts ? length : 0];
    this.inUse = new long[length];
  }

  boolean hasStarts() {
    return starts.length > 0;
  }

  boolean isStart(long address) {
    long bit = address / unit;
    return (starts[word(bit)] & mask(bit)) != 0;
  }

  void setStart(long address, boolean set) {
    if (hasStarts()) {
      long bit = address / unit;
      int word = word(bit);
      starts[word] = set ? starts[word] | mask(bit) : starts[word] & ~mask(bit);
    }
  }

  void setInUse(long from, long words, boolean set) {
    long bit = from / unit;
    long end = bit + words / unit;
    while (bit < end) {
      long mask = maskUpTo(bit, end);
      int word = word(bit);
      inUse[word] = set ? inUse[word] | mask : inUse[word] & ~mask;
      bit = nextWord(bit);
    }
  }

  /** Whether any part of a region is in use. */
  boolean isAnyInUse(long from, long words) {
    long bit = from / unit;
    long end = bit + words / unit;
    while (bit < end) {
      if ((inUse[word(bit)] & maskUpTo(bit, end)) != 0) {
        return true;
      }
      bit = nextWord(bit);
    }
    return false;
  }

  private static int word(long bit) {
    return Math.toIntExact(bit / WORD_BITS);
  }

  private static long nextWord(long bit) {
    return (bit / WORD_BITS + 1) * WORD_BITS;
  }

  private static long mask(long bit) {
    return 1L << bit;
  }

  /** The bits of a word from {@code bit} to {@code end}, or to the end of the word. */
  private static long maskUpTo(long bit, long end) {
    long count = Math.min(end - bit, WORD_BITS - bit % WORD_BITS);
    return (-1L >>> (WORD_BITS - count)) << bit;
  }
}
