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

  /** The maps that every test of behaviour looks at: between them, they take every path. */
  enum Shape {
    DEFAULT(3, 3, false),
    PRESIZED(7, 7, false),
    ONE_BUCKET(0, 0, true),
    FOUR_BUCKETS(2, 0, true),
    SHELVES(14, 0, true);

    private final int bits;
    private final int floor;
    private final boolean eager;

    Shape(int bits, int floor, boolean eager) {
      this.bits = bits;
      this.floor = floor;
      this.eager = eager;
    }

    <V> ConcurrentLongMap<V> map() {
      return new ConcurrentLongMap<>(bits, floor, eager);
    }
  }
}
