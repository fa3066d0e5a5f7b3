package dev.offcut.longmap;

/** Keys by the place where a map puts them. */
final class Keys {
  /** The bounds, 0, and their neighbours. */
  static final long[] SPECIAL = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32, -1L << 32};

  private static final long INVERSE = inverse(ConcurrentLongMap.SPREAD);

  private Keys() {}

  /** The number whose product with an odd one is 1, modulo 2^64: each step doubles its bits. */
  private static long inverse(long odd) {
    long inverse = odd; // right in the lowest three bits
    for (int bits = 3; bits < 64; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  static long hash(long key) {
    return key * ConcurrentLongMap.SPREAD;
  }

  /** The key with this hash. */
  static long ofHash(long hash) {
    return hash * INVERSE;
  }

  /** Different keys with one bucket, whatever the table, and with one tag. */
  static long colliding(int i) {
    return ofHash((0x5555_5555L << 32) + i);
  }

  /** Different keys in one of 2^bits buckets. */
  static long inBucket(int bits, int bucket, int i) {
    return ofHash(((long) bucket << (63 - bits) << 1) + i * 0x1234_5679L);
  }
}
