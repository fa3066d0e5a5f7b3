package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The arena of one thread. */
final class ConfinedArena extends PoolArena {
  private final Thread thread = Thread.currentThread();

  ConfinedArena(Owner owner) {
    super(owner, Arena.ofConfined());
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    checkThread();
    return take(bytes, alignment);
  }

  @Override
  public MemorySegment allocateUninitialized(long bytes, long alignment) {
    checkThread();
    return takeUninitialized(bytes, alignment);
  }

  @Override
  public void free(MemorySegment block) {
    checkThread();
    give(block);
  }

  @Override
  public void close() {
    end();
  }

  private void checkThread() {
    if (Thread.currentThread() != thread) {
      throw new WrongThreadException("the arena belongs to " + thread);
    }
  }
}
