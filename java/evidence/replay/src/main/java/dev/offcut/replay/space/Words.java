package dev.offcut.replay.space;

/** Sizes in words of eight bytes, the unit of every size and address here. */
public final class Words {
  public static final int BYTES = 8;

  private Words() {}

  public static long toBytes(long words) {
    return Math.multiplyExact(words, (long) BYTES);
  }

  /** The least multiple of {@code unit}, a power of two, that is at least {@code words}. */
  static long alignUp(long words, long unit) {
    return Math.addExact(words, unit - 1) & -unit;
  }

  /** The greatest multiple of {@code unit}, a power of two, that is at most {@code words}. */
  static long alignDown(long words, long unit) {
    return words & -unit;
  }

  static boolean isAligned(long words, long unit) {
    return alignDown(words, unit) == words;
  }
}
