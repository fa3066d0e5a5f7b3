package dev.offcut.replay.space;

import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.PoolArena;
import dev.offcut.memory.PoolLayout;
import dev.offcut.memory.PoolSnapshot;
import dev.offcut.replay.space.Space.ArenaKind;
import dev.offcut.replay.space.Space.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A space on a real {@link MemoryPool} of the same size, with its arenas: roots of 2 MiB, chunks
 * down to 1 KiB, arenas that grow by 2, 2, 4, 8 and 16 KiB in class space and twice that outside.
 */
final class BuddySpace implements Space {
  private static final int WORD = Long.BYTES;
  private static final long ROOT = 2 << 20;
  private static final int LEAF = 1 << 10;

  private final MemoryPool pool;
  private final Owner boot;
  private final Owner standard;
  private long usedWords;

  BuddySpace(Space.Kind kind, long words) {
    long bytes = words * WORD;
    long root = Math.min(ROOT, Long.lowestOneBit(bytes));
    pool =
        MemoryPool.named("space")
            .chunks(root, LEAF)
            .reserveLimit(bytes)
            .decay(Duration.ofDays(1))
            .create();
    long unit = kind == Space.Kind.CLASS ? 2L * LEAF : 4L * LEAF;
    boot = pool.owner().child("boot").arenaGrowth(128 * unit, 128 * unit).create();
    standard = pool.owner().child("standard").arenaGrowth(unit, 16L * LEAF).create();
  }

  @Override
  public Space.Arena open(ArenaKind kind) {
    return new BuddyArena(this, kind == ArenaKind.BOOT ? boot : standard);
  }

  /** A block of an arena was taken, or all of them given back. */
  void use(long words) {
    usedWords += words;
  }

  @Override
  public void purge() {
    pool.trim();
  }

  @Override
  public Usage usage() {
    PoolSnapshot now = pool.snapshot();
    return new Usage(
        now.reservedBytes() / WORD,
        now.committedBytes() / WORD,
        now.handedOutBytes() / WORD,
        usedWords,
        now.largestFreeBytes() / WORD,
        0);
  }

  @Override
  public List<Space.NodeMap> map() {
    return pool.layout().regions().stream().map(BuddySpace::node).toList();
  }

  private static Space.NodeMap node(PoolLayout.RegionLayout region) {
    List<Space.Piece> pieces = new ArrayList<>();
    long at = 0;
    for (PoolLayout.FreeChunk free : region.free()) {
      if (free.offset() > at) {
        pieces.add(piece(at, free.offset() - at, Space.State.IN_USE));
      }
      pieces.add(piece(free.offset(), free.bytes(), Space.State.FREE));
      at = free.offset() + free.bytes();
    }
    if (at < region.bytes()) {
      pieces.add(piece(at, region.bytes() - at, Space.State.IN_USE));
    }
    return new Space.NodeMap(region.bytes() / WORD, pieces);
  }

  private static Space.Piece piece(long from, long bytes, Space.State state) {
    return new Space.Piece(from / WORD, bytes / WORD, state);
  }

  @Override
  public void close() {
    pool.close();
  }

  /** An arena of the pool. Its first chunk comes with its first block. */
  static final class BuddyArena implements Space.Arena {
    private final BuddySpace space;
    private final PoolArena arena;
    private long usedWords;

    BuddyArena(BuddySpace space, Owner owner) {
      this.space = space;
      arena = owner.openArena();
    }

    @Override
    public boolean allocate(long words) {
      try {
        arena.allocateUninitialized(words * Long.BYTES, Long.BYTES);
      } catch (MemoryLimitException e) {
        return false;
      }
      usedWords += words;
      space.use(words);
      return true;
    }

    @Override
    public void close() {
      space.use(-usedWords);
      usedWords = 0;
      arena.close();
    }
  }
}
