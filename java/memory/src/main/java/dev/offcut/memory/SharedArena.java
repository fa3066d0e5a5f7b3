package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The arena of all threads: one at a time takes and gives blocks. Its lock is a monitor, which the
 * JVM lets go of wherever a stack ends.
 */
final class SharedArena extends PoolArena {
  private final Object lock = new Object();

  SharedArena(Owner owner) {
    super(owner, Arena.ofShared());
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    synchronized (lock) {
      return take(bytes, alignment);
    }
  }

  @Override
  public MemorySegment allocateUninitialized(long bytes, long alignment) {
    synchronized (lock) {
      return takeUninitialized(bytes, alignment);
    }
  }

  @Override
  public void free(MemorySegment block) {
    synchronized (lock) {
      give(block);
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      end();
    }
  }
}
