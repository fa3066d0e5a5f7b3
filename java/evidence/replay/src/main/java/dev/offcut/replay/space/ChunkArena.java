package dev.offcut.replay.space;

import dev.offcut.replay.space.Space.ArenaKind;
import java.util.ArrayList;
import java.util.EnumMap;
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
  private final ChunkSpace space;
  private final ArenaKind kind;
  private final List<Chunk> chunks = new ArrayList<>();
  private final Map<Chunk.Size, Integer> countBySize = new EnumMap<>(Chunk.Size.class);
  private final BlockList blocks = new BlockList();
  private Chunk current;
  private long used;

  ChunkArena(ChunkSpace space, ArenaKind kind, Chunk first) {
    this.space = space;
    this.kind = kind;
    this.current = first;
    add(first);
  }

  @Override
  public boolean allocate(long words) {
    if (words < 1) {
      throw new IllegalArgumentException("a block of " + words + " words");
    }
    boolean fitted = blocks.take(words) || current.allocate(words) || allocateInNext(words);
    used += fitted ? words : 0;
    return fitted;
  }

  @Override
  public void close() {
    chunks.forEach(space.chunks::giveBack);
    space.closed(this);
    chunks.clear();
  }

  long used() {
    return used;
  }

  private boolean allocateInNext(long words) {
    long least = words + space.chunks.headerWords();
    Chunk next = space.chunks.take(space.handOut.next(kind, countBySize, least));
    if (next == null) {
      return allocateInLastResort(words, least);
    }
    add(next);
    if (next.size != Chunk.Size.HUMONGOUS) {
      blocks.add(current.room());
      current = next;
    }
    return next.allocate(words);
  }

  private boolean allocateInLastResort(long words, long least) {
    Chunk chunk = space.chunks.takeLastResort(least);
    if (chunk == null) {
      return false;
    }
    add(chunk);
    return chunk.allocate(words);
  }

  private void add(Chunk chunk) {
    chunks.add(chunk);
    countBySize.merge(chunk.size, 1, Integer::sum);
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

  /**
   * What chunk an arena is handed: first by its kind, then by what it has. A standard arena has
   * four small chunks before it gets medium ones, the first counted.
   */
  static final class HandOut {
    /** The boot loader's first chunk outside class space: 4 MiB. */
    static final long BOOT_FIRST_NON_CLASS_WORDS = 512 << 10;

    /**
     * The boot loader's first chunk in class space: larger than medium, so that no other gets it.
     */
    private static final long BOOT_FIRST_CLASS_WORDS = 48 << 10;

    private static final int SMALL_LIMIT = 4;

    /** So many specialized chunks a hidden class is given outside class space. */
    private static final int HIDDEN_SPECIALIZED_LIMIT = 4;

    private final Space.Kind space;
    private final Chunk.Sizes sizes;

    HandOut(Space.Kind space, Chunk.Sizes sizes) {
      this.space = space;
      this.sizes = sizes;
    }

    /** The words of an arena's first chunk. */
    long first(ArenaKind kind) {
      return switch (kind) {
        case BOOT ->
            space == Space.Kind.CLASS ? BOOT_FIRST_CLASS_WORDS : BOOT_FIRST_NON_CLASS_WORDS;
        case STANDARD -> sizes.small();
        case HIDDEN -> sizes.specialized();
      };
    }

    /**
     * The words of the next chunk of an arena.
     *
     * @param chunks how many it has of each {@link Chunk.Size}
     * @param words what must fit, with the header
     */
    long next(ArenaKind kind, Map<Chunk.Size, Integer> chunks, long words) {
      if (words > sizes.medium()) {
        return words;
      }
      if (kind == ArenaKind.HIDDEN
          && space == Space.Kind.NON_CLASS
          && chunks.getOrDefault(Chunk.Size.SPECIALIZED, 0) < HIDDEN_SPECIALIZED_LIMIT
          && words <= sizes.specialized()) {
        return sizes.specialized();
      }
      boolean young =
          !chunks.containsKey(Chunk.Size.MEDIUM)
              && chunks.getOrDefault(Chunk.Size.SMALL, 0) < SMALL_LIMIT;
      return young && words <= sizes.small() ? sizes.small() : sizes.medium();
    }
  }
}
