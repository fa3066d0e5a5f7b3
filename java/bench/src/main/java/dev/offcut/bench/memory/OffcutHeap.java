package dev.offcut.bench.memory;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.MemoryPool;

/** {@code offcut}: a heap of blocks that any thread takes and frees. */
final class OffcutHeap implements Allocator {
  private final MemoryPool pool = MemoryPool.named("bench").create();
  private final BlockHeap heap = pool.owner().openHeap();

  @Override
  public Table table(int slots) {
    return new AddressTable(slots) {
      @Override
      long allocate(int bytes) {
        return heap.allocate(bytes);
      }

      @Override
      void free(long address) {
        heap.free(address);
      }
    };
  }

  @Override
  public void trim() {
    pool.trim();
  }

  @Override
  public void close() {
    heap.close();
    pool.close();
  }
}
