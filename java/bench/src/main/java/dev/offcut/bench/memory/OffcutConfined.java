package dev.offcut.bench.memory;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.MemoryPool;

/** {@code offcut-confined}: a heap for each thread. */
final class OffcutConfined implements Allocator {
  private final MemoryPool pool = MemoryPool.named("bench").create();

  @Override
  public Table table(int slots) {
    BlockHeap heap = pool.owner().openConfinedHeap();
    return new AddressTable(slots) {
      @Override
      long allocate(int bytes) {
        return heap.allocate(bytes);
      }

      @Override
      void free(long address) {
        heap.free(address);
      }

      @Override
      public void close() {
        heap.close();
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
