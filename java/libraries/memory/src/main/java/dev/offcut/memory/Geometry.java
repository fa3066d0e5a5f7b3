package dev.offcut.memory;

/**
 * The sizes of chunks: powers of two from a leaf to a root, each half of the one before.
 *
 * <pre>
 *   level 0             root, 4 MiB
 *   …
 *   granuleLevel (6)    granule, 64 KiB: 64 leaves, so that one word of a map is about one granule
 *   …
 *   leafLevel (12)      leaf, 1 KiB: the smallest chunk
 * </pre>
 *
 * @param rootBytes the largest chunk
 * @param leafBytes the smallest chunk
 */
record Geometry(long rootBytes, int leafBytes) {
  static final Geometry DEFAULT = new Geometry(4 << 20, 1 << 10);

  /** Leaves of a granule: the bits of a long. */
  static final int LEAVES = Long.SIZE;

  private static final int MOST_GRANULES = 1 << 10;

  Geometry {
    if (Long.bitCount(rootBytes) != 1 || Integer.bitCount(leafBytes) != 1) {
      throw new IllegalSizeException(
          "a largest chunk of %s bytes and a smallest chunk of %s bytes: both must be powers of two"
              .formatted(rootBytes, leafBytes));
    }
    if (leafBytes < 256 || leafBytes > 64 << 10) {
      throw new IllegalSizeException(
          "a smallest chunk of " + leafBytes + " bytes: give 256 B to 64 KiB");
    }
    long granules = rootBytes / LEAVES / leafBytes;
    if (granules < 1 || granules > MOST_GRANULES) {
      throw new IllegalSizeException(
          "a largest chunk of %s bytes: give 64 to 65536 times the smallest chunk, which has %s bytes"
              .formatted(rootBytes, leafBytes));
    }
  }

  int granuleBytes() {
    return leafBytes * LEAVES;
  }

  int granulesPerRoot() {
    return (int) (rootBytes / granuleBytes());
  }

  int granuleLevel() {
    return Integer.numberOfTrailingZeros(granulesPerRoot());
  }

  int leafLevel() {
    return granuleLevel() + Integer.numberOfTrailingZeros(LEAVES);
  }

  /** The bytes of a chunk at a level. */
  long bytes(int level) {
    return rootBytes >> level;
  }

  /** The level of the smallest chunk that holds so many bytes, at most a root. */
  int level(long bytes) {
    if (bytes <= leafBytes) {
      return leafLevel();
    }
    return Long.numberOfTrailingZeros(rootBytes)
        - (Long.SIZE - Long.numberOfLeadingZeros(bytes - 1));
  }
}
