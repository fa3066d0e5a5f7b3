package dev.offcut.replay.space;

/**
 * The fixed sizes of chunks in one space, in words: powers of two, each a multiple of the one
 * before.
 */
record ChunkSizes(int specialized, int small, int medium) {
  ChunkSizes {
    if (Integer.bitCount(specialized) != 1 || small % specialized != 0 || medium % small != 0) {
      throw new IllegalArgumentException("not multiples of each other");
    }
  }

  /** Those of HotSpot up to JDK 15: the ratio of small to medium is 1:16 in both spaces. */
  static ChunkSizes of(SpaceKind kind) {
    return kind == SpaceKind.CLASS
        ? new ChunkSizes(128, 256, 4096)
        : new ChunkSizes(128, 512, 8192);
  }

  /** The same with a medium chunk of so many small ones. */
  ChunkSizes withRatio(int ratio) {
    return new ChunkSizes(specialized, small, small * ratio);
  }

  long words(ChunkSize size) {
    return switch (size) {
      case SPECIALIZED -> specialized;
      case SMALL -> small;
      case MEDIUM -> medium;
      case HUMONGOUS -> throw new IllegalArgumentException("humongous chunks have no one size");
    };
  }

  /** The least size class that holds so many words. */
  ChunkSize holding(long words) {
    return words <= specialized
        ? ChunkSize.SPECIALIZED
        : words <= small
            ? ChunkSize.SMALL
            : words <= medium ? ChunkSize.MEDIUM : ChunkSize.HUMONGOUS;
  }
}
