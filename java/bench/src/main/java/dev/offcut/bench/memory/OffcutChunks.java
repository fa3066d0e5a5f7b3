package dev.offcut.bench.memory;

import dev.offcut.memory.MemoryPool;

/** {@code offcut} where chunks are asked for: those of a pool. */
final class OffcutChunks implements Allocator {
  private final MemoryPool pool = MemoryPool.named("bench").create();

  @Override
  public Table table(int slots) {
    return new AddressTable(slots) {
      @Override
      long allocate(int bytes) {
        return pool.owner().allocateChunk(bytes);
      }

      @Override
      void free(long address) {
        pool.freeChunk(address);
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
