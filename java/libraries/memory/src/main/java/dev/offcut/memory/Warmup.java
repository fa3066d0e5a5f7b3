package dev.offcut.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Every path of arenas, heaps and chunks, once, before the first pool is there. A class whose
 * initialization fails, in a full Java heap or at the end of a stack, is broken for ever. So is
 * what the JVM links for a VarHandle at its first use.
 *
 * <p>The system is asked for a page once. The other paths run on a pool of their own, of addresses
 * that nobody touches, and open no handle: so nothing is counted.
 */
final class Warmup {
  private static volatile boolean done;

  /** A clear of more than this is another call than that of a page. */
  private static final int MUCH = 128 << 10;

  private Warmup() {}

  /** An error reaches whoever makes the pool; the next pool tries again. */
  static void ensure() {
    if (!done) {
      run();
    }
  }

  private static synchronized void run() {
    if (done) {
      return;
    }
    system(NativeMemory.ofThisSystem());
    MemoryPool pool = MemoryPool.forWarmup(new Untouched());
    try {
      chunks(pool);
      blocks(new Blocks(pool.owner().heaps()));
      blocks(new ConfinedBlocks(pool.owner().heaps()));
      arenas(pool.owner().extents());
      pool.snapshot();
    } finally {
      pool.close();
    }
    BlockHeap.initialize();
    segments(Arena.ofConfined(), new Lease.Warm());
    segments(Arena.ofShared(), new Lease.Warm());
    done = true;
  }

  /** Each call, with a page: the first regions come where the heap may be full. */
  private static void system(NativeMemory memory) {
    int page = memory.pageBytes();
    long address = memory.reserve(MUCH, page);
    if (address == 0) {
      return; // no address space, of which the first request tells
    }
    try {
      memory.clear(address, page);
      memory.clear(address, MUCH);
      memory.resident(address, page);
      memory.discard(address, page);
      memory.protect(address, page, false);
    } finally {
      memory.release(address, MUCH);
    }
  }

  private static void chunks(MemoryPool pool) {
    for (long bytes = 1; bytes <= Untouched.BYTES / 4; bytes *= 8) {
      long first = pool.owner().allocateChunk(bytes);
      pool.freeChunk(first);
      pool.freeChunk(pool.owner().allocateChunk(bytes)); // the one that was kept
    }
  }

  private static void blocks(Blocks blocks) {
    for (long bytes = 1; bytes <= Untouched.BYTES / 4; bytes *= 64) {
      long block = blocks.allocate(bytes);
      blocks.free(block);
    }
    blocks.close();
  }

  private static void arenas(ExtentCache extents) {
    extents.runOnce();
    Lease.isLasting();
  }

  @SuppressWarnings("restricted") // of no bytes
  private static void segments(Arena arena, Lease.Warm lease) {
    try (arena) {
      MemorySegment.ofAddress(Settings.BLOCK_BYTES).reinterpret(0, arena, lease);
    }
  }

  /** Address space that is not reserved: it is handed out, and nothing is written to it. */
  private static final class Untouched implements NativeMemory {
    static final long BYTES = 4 << 20;
    private static final long ADDRESS = 1L << 40;

    private final int pageBytes = NativeMemory.ofThisSystem().pageBytes();

    @Override
    public int pageBytes() {
      return pageBytes;
    }

    @Override
    public long reserve(long bytes, long alignment) {
      return ADDRESS;
    }

    @Override
    public void release(long address, long bytes) {}

    @Override
    public boolean discard(long address, long bytes) {
      return true;
    }

    @Override
    public boolean protect(long address, long bytes, boolean accessible) {
      return true;
    }

    @Override
    public void clear(long address, long bytes) {}

    @Override
    public long resident(long address, long bytes) {
      return 0;
    }
  }
}
