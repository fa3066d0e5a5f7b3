package dev.offcut.longmap;

/** Maps and keys for the races: where each key lies is known. */
final class Ground {
  /** The inverse of the map's multiplier: hash times this is the key with that hash. */
  private static final long INVERSE = 0xF1DE83E19937733DL;

  /** Entries of a bucket. */
  static final int SLOTS = 7;

  private Ground() {}

  /** Different keys with one bucket, whatever the table, and with one tag. */
  static long same(int i) {
    return ((0x5555_5555L << 32) + i) * INVERSE;
  }

  /** Different keys, each in its own of 2^bits buckets. */
  static long apart(int bits, int i) {
    return ((long) i << (63 - bits) << 1) * INVERSE;
  }

  /** One bucket; grown and shrunk at every cause. */
  static <V> ConcurrentLongMap<V> oneBucket() {
    return new ConcurrentLongMap<>(0, 0, true);
  }

  /** One bucket with some keys of {@link #same} in it, from the first on. */
  static ConcurrentLongMap<Long> oneBucket(int keys) {
    ConcurrentLongMap<Long> map = new ConcurrentLongMap<>(0, 0, false);
    for (int i = 0; i < keys; i++) {
      put(map, same(i));
    }
    return map;
  }

  /** Puts a key with the value that {@link #read} wants to see. */
  static void put(ConcurrentLongMap<Long> map, long key) {
    map.put(key, key);
  }

  /** 1 if the key has its value, 0 if it has none, -1 if it has another key's. */
  static int read(ConcurrentLongMap<Long> map, long key) {
    Long value = map.get(key);
    return value == null ? 0 : value == key ? 1 : -1;
  }
}
