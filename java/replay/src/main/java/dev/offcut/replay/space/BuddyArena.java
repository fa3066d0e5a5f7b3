package dev.offcut.replay.space;

import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.Owner;
import dev.offcut.memory.PoolArena;

/** An arena of the pool. Its first chunk comes with its first block. */
final class BuddyArena implements SpaceArena {
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
