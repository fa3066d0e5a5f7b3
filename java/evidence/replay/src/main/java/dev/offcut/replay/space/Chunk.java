package dev.offcut.replay.space;

/**
 * A piece of a node that one arena has, or that is free. Its first words are its header; what is
 * behind them is for blocks.
 *
 * <pre>
 *   from                 from + top                    from + words
 *   | header | blocks …  | room                        |
 * </pre>
 *
 * While it is in use it belongs to an arena; while it is free, to a free list. A chunk that was
 * split or merged is dead: nothing refers to it.
 */
final class Chunk {
  final Node node;
  final long from;
  final long words;
  final Size size;

  /** Whether it was cut so that the next chunk is aligned to its size. */
  final boolean aligns;

  boolean inUse;

  private boolean used;

  /** Words of header and blocks. */
  private long top;

  Chunk(Node node, long from, long words, Size size, boolean aligns) {
    this.node = node;
    this.from = from;
    this.words = words;
    this.size = size;
    this.aligns = aligns;
  }

  long end() {
    return from + words;
  }

  /** Free, and never used for anything but to align another. */
  boolean isUnusedAlignment() {
    return aligns && !used && !inUse;
  }

  /** Begins a use: what was in it is gone. */
  void handOut(int headerWords) {
    inUse = true;
    used = true;
    top = headerWords;
  }

  long room() {
    return words - top;
  }

  boolean allocate(long blockWords) {
    if (blockWords > room()) {
      return false;
    }
    top += blockWords;
    return true;
  }

  /** The size classes of chunks, from small to large; each but the last has one fixed size. */
  enum Size {
    SPECIALIZED,
    SMALL,
    MEDIUM,
    /** Larger than medium: what one large block asks for. */
    HUMONGOUS
  }

  /**
   * The fixed sizes of chunks in one space, in words: powers of two, each a multiple of the one
   * before.
   */
  record Sizes(int specialized, int small, int medium) {
    Sizes {
      if (Integer.bitCount(specialized) != 1 || small % specialized != 0 || medium % small != 0) {
        throw new IllegalArgumentException("not multiples of each other");
      }
    }

    /** Those of HotSpot up to JDK 15: the ratio of small to medium is 1:16 in both spaces. */
    static Sizes of(Space.Kind kind) {
      return kind == Space.Kind.CLASS ? new Sizes(128, 256, 4096) : new Sizes(128, 512, 8192);
    }

    /** The same with a medium chunk of so many small ones. */
    Sizes withRatio(int ratio) {
      return new Sizes(specialized, small, small * ratio);
    }

    long words(Chunk.Size size) {
      return switch (size) {
        case SPECIALIZED -> specialized;
        case SMALL -> small;
        case MEDIUM -> medium;
        case HUMONGOUS -> throw new IllegalArgumentException("humongous chunks have no one size");
      };
    }

    /** The least size class that holds so many words. */
    Chunk.Size holding(long words) {
      return words <= specialized
          ? Chunk.Size.SPECIALIZED
          : words <= small
              ? Chunk.Size.SMALL
              : words <= medium ? Chunk.Size.MEDIUM : Chunk.Size.HUMONGOUS;
    }
  }
}
