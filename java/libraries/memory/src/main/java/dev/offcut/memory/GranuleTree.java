package dev.offcut.memory;

/**
 * The free granules of a region, and which of them make up free chunks of a granule or more.
 *
 * <p>Each root is a binary tree of chunks, numbered as a heap: node 1 is the root, the halves of n
 * are 2n and 2n+1, its other half is n^1. One bit a node says that this chunk, whole, is free. Of a
 * chunk and its parts only the largest has the bit, and two halves never both have it: they would
 * be one. For each level one bit a root says that the root has a free chunk of that level.
 *
 * <p>Not safe for threads: the region's lock guards it.
 */
final class GranuleTree {
  private final int levels;
  private final int granulesPerRoot;
  private final int roots;
  private final int wordsPerRoot;

  private final long[] free;
  private final long[][] rootsWith;

  /** A tree with nothing free. */
  GranuleTree(int granuleLevel, int roots) {
    levels = granuleLevel + 1;
    granulesPerRoot = 1 << granuleLevel;
    this.roots = roots;
    wordsPerRoot = Math.max(1, 2 * granulesPerRoot / Long.SIZE);
    free = new long[wordsPerRoot * roots];
    rootsWith = new long[levels][(roots + Long.SIZE - 1) / Long.SIZE];
  }

  /**
   * The first granule of the lowest free chunk of a level, or of the low end of the lowest larger
   * one of the tightest level that has any; -1 if none.
   */
  int lowest(int level) {
    int from = nearest(level);
    if (from < 0) {
      return -1;
    }
    int root = lowestBit(rootsWith[from], 0);
    return granule(root, lowestNode(root, from), from);
  }

  /** The same from above: of the highest free chunk, or of the high end of a larger one. */
  int highest(int level) {
    int from = nearest(level);
    if (from < 0) {
      return -1;
    }
    int root = highestBit(rootsWith[from]);
    return granule(root, highestNode(root, from) + 1, from) - (granulesPerRoot >> level);
  }

  /** Takes the chunk of a level that begins at a granule, if it is free. */
  boolean take(int granule, int level) {
    int root = granule / granulesPerRoot;
    int node = node(granule, level);
    int from = freeAbove(root, node, level);
    if (from < 0) {
      return false;
    }
    unmark(root, node >> (level - from), from);
    for (int at = from + 1; at <= level; at++) {
      mark(root, (node >> (level - at)) ^ 1, at);
    }
    return true;
  }

  /** Takes so many whole roots in a row, the lowest there are; the first granule, or -1. */
  int takeRoots(int count) {
    int run = 0;
    for (int root = lowestBit(rootsWith[0], 0); root >= 0 && root < roots; root++) {
      if (!isMarked(root, 1)) {
        root = lowestBit(rootsWith[0], root);
        run = 0;
        if (root < 0) {
          return -1;
        }
      }
      if (++run == count) {
        for (int i = root - count + 1; i <= root; i++) {
          unmark(i, 1, 0);
        }
        return (root - count + 1) * granulesPerRoot;
      }
    }
    return -1;
  }

  /** Gives granules back, in a row; they become the largest chunks they can be. */
  void put(int granule, int count) {
    int at = granule;
    int end = granule + count;
    while (at < end) {
      int size = at == 0 ? granulesPerRoot : Math.min(granulesPerRoot, Integer.lowestOneBit(at));
      while (size > end - at) {
        size >>= 1;
      }
      putChunk(at, levels - 1 - Integer.numberOfTrailingZeros(size));
      at += size;
    }
  }

  private void putChunk(int granule, int chunkLevel) {
    int root = granule / granulesPerRoot;
    int level = chunkLevel;
    int node = node(granule, level);
    while (level > 0 && isMarked(root, node ^ 1)) {
      unmark(root, node ^ 1, level);
      node >>= 1;
      level--;
    }
    mark(root, node, level);
  }

  /** Whether a granule is free. */
  boolean isFree(int granule) {
    return freeAbove(granule / granulesPerRoot, node(granule, levels - 1), levels - 1) >= 0;
  }

  /** How many granules the free chunk has that begins at one; 0 if none does. */
  int freeAt(int granule) {
    int root = granule / granulesPerRoot;
    for (int level = 0; level < levels; level++) {
      int count = granulesPerRoot >> level;
      if (granule % count == 0 && isMarked(root, node(granule, level))) {
        return count;
      }
    }
    return 0;
  }

  /** Throws if two halves are both free, a part of something free is, or a summary is wrong. */
  void verify() {
    for (int root = 0; root < roots; root++) {
      int levelsWith = 0;
      for (int node = 1; node < 2 * granulesPerRoot; node++) {
        if (isMarked(root, node)) {
          int level = level(node);
          levelsWith |= 1 << level;
          check(level == 0 || !isMarked(root, node ^ 1), root, node, "its other half is free, too");
          check(
              level == 0 || freeAbove(root, node >> 1, level - 1) < 0,
              root,
              node,
              "what it is a part of is free, too");
        }
      }
      for (int level = 0; level < levels; level++) {
        boolean has = (rootsWith[level][root / Long.SIZE] & (1L << root)) != 0;
        check(has == ((levelsWith & 1 << level) != 0), root, 1, "the summary is wrong");
      }
    }
  }

  private static void check(boolean holds, int root, int node, String what) {
    if (!holds) {
      throw new IllegalStateException("root " + root + ", node " + node + ": " + what);
    }
  }

  /** The deepest level up to this one with something free, or -1: the tightest fit. */
  private int nearest(int level) {
    int at = level;
    while (at >= 0 && lowestBit(rootsWith[at], 0) < 0) {
      at--;
    }
    return at;
  }

  /** The level of the free chunk that is a node or holds it, or -1. */
  private int freeAbove(int root, int node, int level) {
    for (int n = node, at = level; at >= 0; n >>= 1, at--) {
      if (isMarked(root, n)) {
        return at;
      }
    }
    return -1;
  }

  /** The lowest free chunk of a level, or -1. */
  private int lowestNode(int root, int level) {
    int first = 1 << level;
    for (int node = first; node < 2 * first; ) {
      long word = free[root * wordsPerRoot + node / Long.SIZE] >>> node;
      if (level < 6) {
        word &= (1L << first) - 1;
      }
      if (word != 0) {
        return node + Long.numberOfTrailingZeros(word);
      }
      node += Long.SIZE;
    }
    return -1;
  }

  private int highestNode(int root, int level) {
    int first = 1 << level;
    for (int last = 2 * first - 1; last >= first; ) {
      long word = free[root * wordsPerRoot + last / Long.SIZE] << (Long.SIZE - 1 - last);
      int node = last - Long.numberOfLeadingZeros(word);
      if (word != 0 && node >= first) {
        return node;
      }
      last -= Long.SIZE;
    }
    throw new IllegalStateException("root " + root + " has no free chunk of level " + level);
  }

  private static int lowestBit(long[] words, int from) {
    for (int word = from / Long.SIZE; word < words.length; word++) {
      long bits = words[word];
      if (word == from / Long.SIZE) {
        bits &= -1L << from;
      }
      if (bits != 0) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
      }
    }
    return -1;
  }

  private static int highestBit(long[] words) {
    for (int word = words.length - 1; word >= 0; word--) {
      if (words[word] != 0) {
        return word * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(words[word]);
      }
    }
    return -1;
  }

  private int node(int granule, int level) {
    return (granulesPerRoot + granule % granulesPerRoot) >> (levels - 1 - level);
  }

  private int granule(int root, int node, int level) {
    return root * granulesPerRoot + ((node << (levels - 1 - level)) - granulesPerRoot);
  }

  private static int level(int node) {
    return 31 - Integer.numberOfLeadingZeros(node);
  }

  private boolean isMarked(int root, int node) {
    return (free[root * wordsPerRoot + node / Long.SIZE] & (1L << node)) != 0;
  }

  private void mark(int root, int node, int level) {
    free[root * wordsPerRoot + node / Long.SIZE] |= 1L << node;
    rootsWith[level][root / Long.SIZE] |= 1L << root;
  }

  private void unmark(int root, int node, int level) {
    free[root * wordsPerRoot + node / Long.SIZE] &= ~(1L << node);
    if (lowestNode(root, level) < 0) {
      rootsWith[level][root / Long.SIZE] &= ~(1L << root);
    }
  }
}
