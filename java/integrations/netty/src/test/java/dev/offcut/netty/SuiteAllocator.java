package dev.offcut.netty;

import dev.offcut.memory.MemoryPool;

/** Allocators for Netty's own tests, each on a pool of its own. */
final class SuiteAllocator {
  private SuiteAllocator() {}

  static OffcutByteBufAllocator open(boolean prefersDirect) {
    MemoryPool pool = MemoryPool.named("suite").create();
    return new OffcutByteBufAllocator(pool.owner(), prefersDirect);
  }

  /** Closes an allocator and its pool, in which everything must be in order. */
  static void close(OffcutByteBufAllocator allocator) {
    allocator.owner().pool().verify();
    allocator.close();
    allocator.owner().pool().close();
  }
}
