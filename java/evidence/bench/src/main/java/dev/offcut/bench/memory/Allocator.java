package dev.offcut.bench.memory;

import dev.offcut.bench.malloc.Malloc;
import dev.offcut.bench.malloc.MallocLibrary;
import dev.offcut.bench.memory.Slots.AddressSlots;
import dev.offcut.bench.memory.Slots.SegmentSlots;
import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.PoolArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * What gives native memory in blocks, of whichever implementation; and the implementations that
 * need no library of a peer.
 */
interface Allocator extends AutoCloseable {
  /** Blocks for one thread at a time, that which calls this first. */
  Slots table(int slots);

  /** Threads as it likes them best. */
  default ThreadFactory threads() {
    return Thread::new;
  }

  /** Gives free memory back to the system, if it has a way to be told so. */
  default void trim() {}

  /** Ends it, which fails if it knows of a block that was not given back. */
  @Override
  default void close() {}

  /**
   * The implementation of that name. A JVM that asks for one only loads the classes of that one
   * only, so that its calls inline.
   */
  static Allocator of(String name) {
    return switch (name) {
      case "offcut" -> new OffcutHeap();
      case "offcut-chunks" -> new OffcutChunks();
      case "offcut-confined" -> new OffcutConfined();
      case "offcut-arena" -> new OffcutArena();
      case "jdk-ofConfined" -> new JdkConfined();
      case "offcut-netty", "offcut-netty-simple" -> NettyBuffers.offcut();
      case "netty-adaptive", "netty-adaptive-simple" -> NettyBuffers.adaptive();
      case "netty-pooled", "netty-pooled-simple" -> NettyBuffers.pooled();
      default -> NativeMalloc.of(name);
    };
  }

  /** {@code offcut}: a heap of blocks that any thread takes and frees. */
  static final class OffcutHeap implements Allocator {
    private final MemoryPool pool = MemoryPool.named("bench").create();
    private final BlockHeap heap = pool.owner().openHeap();

    @Override
    public Slots table(int slots) {
      return new AddressSlots(slots) {
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

  /** {@code offcut} where chunks are asked for: those of a pool. */
  static final class OffcutChunks implements Allocator {
    private final MemoryPool pool = MemoryPool.named("bench").create();

    @Override
    public Slots table(int slots) {
      return new AddressSlots(slots) {
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

  /** {@code offcut-confined}: a heap for each thread. */
  static final class OffcutConfined implements Allocator {
    private final MemoryPool pool = MemoryPool.named("bench").create();

    @Override
    public Slots table(int slots) {
      BlockHeap heap = pool.owner().openConfinedHeap();
      return new AddressSlots(slots) {
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

  /** {@code offcut-arena}: an arena for each thread, in which blocks are freed one by one. */
  static final class OffcutArena implements Allocator {
    private final MemoryPool pool = MemoryPool.named("bench").create();

    @Override
    public Slots table(int slots) {
      PoolArena arena = pool.owner().openArena();
      return new SegmentSlots(slots) {
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

  /** {@code jdk-ofConfined}: an arena for each block, the one way to free it alone. */
  static final class JdkConfined implements Allocator {
    @Override
    public Slots table(int slots) {
      Arena[] arenas = new Arena[slots];
      return new SegmentSlots(slots) {
        @Override
        MemorySegment allocate(int slot, int bytes) {
          Arena arena = Arena.ofConfined();
          arenas[slot] = arena;
          return arena.allocate(bytes, Long.BYTES);
        }

        @Override
        void free(int slot, MemorySegment segment) {
          arenas[slot].close();
        }
      };
    }

    @Override
    public void trim() {
      MallocLibrary.LIBC.trim();
    }
  }

  /**
   * {@code libc-malloc}, {@code mimalloc} and so on: a library's malloc and free by plain
   * downcalls; with {@code -critical} behind the name by critical ones, as the pool calls the
   * system.
   */
  static final class NativeMalloc implements Allocator {
    static final String CRITICAL = "-critical";

    private NativeMalloc() {}

    static Allocator of(String name) {
      MallocLibrary library = library(name);
      if (library == null) {
        throw new IllegalArgumentException("no implementation " + name);
      }
      Malloc.use(library, name.endsWith(CRITICAL));
      return new NativeMalloc();
    }

    /** The library that the implementation with this name calls, or null. */
    static @Nullable MallocLibrary library(String name) {
      return Arrays.stream(MallocLibrary.values())
          .filter(
              library -> name.equals(library.title()) || name.equals(library.title() + CRITICAL))
          .findFirst()
          .orElse(null);
    }

    @Override
    public Slots table(int slots) {
      return new AddressSlots(slots) {
        @Override
        long allocate(int bytes) {
          return Malloc.malloc(bytes);
        }

        @Override
        void free(long address) {
          Malloc.free(address);
        }
      };
    }

    @Override
    public void trim() {
      Malloc.trim();
    }
  }
}
