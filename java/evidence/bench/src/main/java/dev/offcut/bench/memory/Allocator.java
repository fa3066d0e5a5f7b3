package dev.offcut.bench.memory;

import dev.offcut.bench.malloc.Malloc;
import dev.offcut.bench.malloc.MallocLibrary;
import dev.offcut.bench.memory.Slots.AddressSlots;
import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.MemoryPool;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What gives native memory in blocks, of whichever implementation; and the implementations that
 * need no library of a peer.
 */
interface Allocator extends AutoCloseable {
  /** Gives nothing, and has room for it: until the implementation is known. */
  Allocator NONE =
      slots ->
          new Slots.AddressSlots(0) {
            @Override
            long allocate(int bytes) {
              throw new IllegalStateException("no implementation");
            }

            @Override
            void free(long address) {
              throw new IllegalStateException("no implementation");
            }
          };

  /** Blocks for one thread at a time, that which calls this first. */
  Slots table(int slots);

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
      case "offcut-confined" -> new OffcutConfined();
      case "offcut-netty" -> NettyBuffers.offcut();
      case "netty-adaptive" -> NettyBuffers.adaptive();
      case "netty-pooled" -> NettyBuffers.pooled();
      default -> NativeMalloc.of(name);
    };
  }

  /** {@code offcut}: a heap of blocks that any thread takes and frees. */
  static final class OffcutHeap implements Allocator {
    private final MemoryPool pool = MemoryPool.named("bench").create();
    private final BlockHeap heap = pool.owner().openHeap();

    @Override
    public Slots table(int slots) {
      return new HeapSlots(heap, slots);
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

  /** {@code offcut-confined}: a heap for each thread. */
  static final class OffcutConfined implements Allocator {
    private final MemoryPool pool = MemoryPool.named("bench").create();

    @Override
    public Slots table(int slots) {
      BlockHeap heap = pool.owner().openConfinedHeap();
      return new HeapSlots(heap, slots) {
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

  static class HeapSlots extends AddressSlots {
    private final BlockHeap heap;

    HeapSlots(BlockHeap heap, int slots) {
      super(slots);
      this.heap = heap;
    }

    @Override
    final long allocate(int bytes) {
      return heap.allocate(bytes);
    }

    @Override
    final void free(long address) {
      heap.free(address);
    }
  }

  /**
   * {@code libc-malloc-critical}, {@code mimalloc-critical} and so on: a library's malloc and free.
   */
  static final class NativeMalloc implements Allocator {
    private NativeMalloc() {}

    static Allocator of(String name) {
      MallocLibrary library = library(name);
      if (library == null) {
        throw new IllegalArgumentException("no implementation " + name);
      }
      Malloc.use(library);
      return new NativeMalloc();
    }

    /** The library that the implementation with this name calls, or null. */
    static @Nullable MallocLibrary library(String name) {
      return Arrays.stream(MallocLibrary.values())
          .filter(library -> name.equals(library.title()))
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
