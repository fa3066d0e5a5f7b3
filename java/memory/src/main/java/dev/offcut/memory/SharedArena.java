package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/** The arena of all threads: one at a time takes and gives blocks. */
final class SharedArena extends PoolArena {
  private final ReentrantLock lock = new ReentrantLock();

  SharedArena(Owner owner) {
    super(owner, Arena.ofShared());
  }

  @Override
  public MemorySegment allocate(long bytes, long alignment) {
    lock.lock();
    try {
      return take(bytes, alignment);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public MemorySegment allocateUninitialized(long bytes, long alignment) {
    lock.lock();
    try {
      return takeUninitialized(bytes, alignment);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void free(MemorySegment block) {
    lock.lock();
    try {
      give(block);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      end();
    } finally {
      lock.unlock();
    }
  }
}
