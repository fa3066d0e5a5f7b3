package dev.offcut.bench.memory;

import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.PoolArena;
import java.lang.foreign.MemorySegment;

/** {@code offcut-arena}: an arena for each thread, in which blocks are freed one by one. */
final class OffcutArena implements Allocator {
  private final MemoryPool pool = MemoryPool.named("bench").create();

  @Override
  public Table table(int slots) {
    PoolArena arena = pool.owner().openArena();
    return new SegmentTable(slots) {
      @Override
      MemorySegment allocate(int slot, int bytes) {
        return arena.allocateUninitialized(bytes, Long.BYTES);
      }

      @Override
      void free(int slot, MemorySegment segment) {
        arena.free(segment);
      }

      @Override
      public void close() {
        arena.close();
      }
    };
  }

  @Override
  public void trim() {
    pool.trim();
  }

  @Override
  public void close() {
    pool.close();
  }
}
