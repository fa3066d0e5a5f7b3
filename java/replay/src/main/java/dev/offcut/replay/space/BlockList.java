package dev.offcut.replay.space;

import java.util.Map;
import java.util.TreeMap;

/**
 * The tails of chunks that an arena went on from, for its own later use. It looks there only once
 * enough has gathered.
 */
final class BlockList {
  /** Below this a tail is not worth keeping: a node of the tree would not fit into it. */
  private static final int LEAST_WORDS = 12;

  /** Until so much is there, it is not looked for: the look costs more than the memory. */
  private static final long FAT_WORDS = 4 << 10;

  /** A block is taken if the request fills a quarter of it, so that large ones stay. */
  private static final int WASTE_MULTIPLIER = 4;

  private final TreeMap<Long, Integer> countBySize = new TreeMap<>();
  private long words;

  void add(long block) {
    if (block >= LEAST_WORDS) {
      countBySize.merge(block, 1, Integer::sum);
      words += block;
    }
  }

  /** Whether a block is cut from one in the list; what is left of that goes back. */
  boolean take(long block) {
    Map.Entry<Long, Integer> fitting = countBySize.ceilingEntry(block);
    if (words <= FAT_WORDS || fitting == null || fitting.getKey() > WASTE_MULTIPLIER * block) {
      return false;
    }
    long size = fitting.getKey();
    countBySize.computeIfPresent(size, (any, count) -> count == 1 ? null : count - 1);
    words -= size;
    add(size - block);
    return true;
  }
}
