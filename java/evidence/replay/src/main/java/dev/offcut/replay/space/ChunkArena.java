package dev.offcut.replay.space;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The chunks of one class loader in one space. Blocks are cut from the current chunk; when it is
 * full, its tail goes to the arena's list of blocks and another chunk is asked for. A humongous
 * chunk holds the one block it was made for and does not become the current one, but for the boot
 * loader's first.
 */
final class ChunkArena implements Space.Arena {
  /** An arena has so many small chunks, the first counted, before it is handed medium ones. */
  private static final int SMALL_LIMIT = 4;

  private final Chunks space;
  private final List<Chunk> chunks = new ArrayList<>();
  private final BlockList blocks = new BlockList();
  private Chunk current;
  private long used;

  ChunkArena(Chunks space, Chunk first) {
    this.space = space;
    this.current = first;
    chunks.add(first);
  }

  @Override
  public boolean allocate(long words) {
    if (words < 1) {
      throw new IllegalArgumentException("a block of " + words + " words");
    }
    boolean fitted = blocks.take(words) || current.allocate(words) || allocateInNext(words);
    if (fitted) {
      used += words;
      space.use(words);
    }
    return fitted;
  }

  @Override
  public void close() {
    chunks.forEach(space::giveBack);
    chunks.clear();
    space.use(-used);
  }

  private boolean allocateInNext(long words) {
    long least = words + space.headerWords();
    Chunk next = space.take(nextWords(least));
    if (next == null) {
      return allocateInLastResort(words, least);
    }
    chunks.add(next);
    if (next.size != Chunk.Size.HUMONGOUS) {
      blocks.add(current.room());
      current = next;
    }
    return next.allocate(words);
  }

  private boolean allocateInLastResort(long words, long least) {
    Chunk chunk = space.takeLastResort(least);
    if (chunk == null) {
      return false;
    }
    chunks.add(chunk);
    return chunk.allocate(words);
  }

  /** The words of the next chunk, in which so many must fit with the header. */
  private long nextWords(long words) {
    if (words > space.sizes.medium()) {
      return words;
    }
    boolean isYoung = count(Chunk.Size.MEDIUM) == 0 && count(Chunk.Size.SMALL) < SMALL_LIMIT;
    return isYoung && words <= space.sizes.small() ? space.sizes.small() : space.sizes.medium();
  }

  private long count(Chunk.Size size) {
    return chunks.stream().filter(chunk -> chunk.size == size).limit(SMALL_LIMIT).count();
  }

  /**
   * The tails of chunks that an arena went on from, for its own later use. It looks there only once
   * enough has gathered.
   */
  static final class BlockList {
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
}
