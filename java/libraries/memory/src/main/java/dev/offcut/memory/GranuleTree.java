package dev.offcut.memory;

import java.util.Arrays;
import java.util.BitSet;

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
  final int levels;
  final int granulesPerRoot;
  final int roots;

  /** The bits of the nodes, root by root: {@link #bit}. */
  private final BitSet free;

  /** By level. */
  final BitSet[] rootsWith;

  /** A tree with nothing free. */
  GranuleTree(int granuleLevel, int roots) {
    levels = granuleLevel + 1;
    granulesPerRoot = 1 << granuleLevel;
    this.roots = roots;
    free = new BitSet(2 * granulesPerRoot * roots); // all, so that no change needs memory
    rootsWith = new BitSet[levels];
    Arrays.setAll(rootsWith, level -> new BitSet(roots));
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
    int root = rootsWith[from].nextSetBit(0);
    return granule(root, lowestNode(root, from), from);
  }

  /** The same from above: of the highest free chunk, or of the high end of a larger one. */
  int highest(int level) {
    int from = nearest(level);
    if (from < 0) {
      return -1;
    }
    int root = rootsWith[from].length() - 1;
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
    for (int root = 0; root < roots; root++) {
      run = isMarked(root, 1) ? run + 1 : 0;
      if (run == count) {
        int first = root - count + 1;
        for (int i = first; i <= root; i++) {
          unmark(i, 1, 0);
        }
        return first * granulesPerRoot;
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

  /** The deepest level up to this one with something free, or -1: the tightest fit. */
  private int nearest(int level) {
    int at = level;
    while (at >= 0 && rootsWith[at].isEmpty()) {
      at--;
    }
    return at;
  }

  /** The level of the free chunk that is a node or holds it, or -1. */
  int freeAbove(int root, int node, int level) {
    for (int n = node, at = level; at >= 0; n >>= 1, at--) {
      if (isMarked(root, n)) {
        return at;
      }
    }
    return -1;
  }

  /** The lowest free chunk of a level, or -1. */
  private int lowestNode(int root, int level) {
    int found = free.nextSetBit(bit(root, 1 << level));
    return found >= 0 && found < bit(root, 2 << level) ? found - bit(root, 0) : -1;
  }

  /** The highest; there is one. */
  private int highestNode(int root, int level) {
    return free.previousSetBit(bit(root, (2 << level) - 1)) - bit(root, 0);
  }

  private int bit(int root, int node) {
    return root * 2 * granulesPerRoot + node;
  }

  private int node(int granule, int level) {
    return (granulesPerRoot + granule % granulesPerRoot) >> (levels - 1 - level);
  }

  private int granule(int root, int node, int level) {
    return root * granulesPerRoot + ((node << (levels - 1 - level)) - granulesPerRoot);
  }

  boolean isMarked(int root, int node) {
    return free.get(bit(root, node));
  }

  private void mark(int root, int node, int level) {
    free.set(bit(root, node));
    rootsWith[level].set(root);
  }

  private void unmark(int root, int node, int level) {
    free.clear(bit(root, node));
    if (lowestNode(root, level) < 0) {
      rootsWith[level].clear(root);
    }
  }
}
