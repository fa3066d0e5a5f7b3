package dev.offcut.netty;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.concurrent.atomic.LongAdder;

/**
 * An allocator for Netty 4.1 and 4.2. Its direct buffers are blocks of a heap of a pool, and are
 * charged to an owner. Its heap buffers are arrays, as in Netty's {@code UnpooledByteBufAllocator}.
 *
 * <pre>{@code
 * OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(pool.owner());
 * bootstrap
 *     .option(ChannelOption.ALLOCATOR, allocator)
 *     .childOption(ChannelOption.ALLOCATOR, allocator);
 * }</pre>
 *
 * <p><b>Ownership.</b> A buffer belongs to the code that has to release it, as always in Netty. The
 * pool belongs to the program. Close the allocator before the pool: {@link #close} fails while
 * direct buffers are in use, and so does the close of their pool.
 *
 * <p><b>Limits.</b> Those of the owner and of its pool. To share the limit of the container with
 * other pools, give it an owner of a pool that was made with {@link MemoryPool.Builder#budget}.
 *
 * <p><b>Forgotten buffers.</b> Netty's leak detector watches direct buffers, as it watches those of
 * Netty's own allocators: at its level {@code simple}, one in 128, at {@code paranoid} each. It
 * reports a buffer that became unreachable before its last release. The memory of such a buffer
 * stays charged to the owner until the allocator is forgotten, too, or its pool ends.
 *
 * <p><b>Threads.</b> Any thread, including virtual threads and threads that are no event loops. A
 * buffer may be released on another thread than the one that took it. No memory is kept by thread.
 *
 * <p><b>Failures.</b> {@link MemoryLimitError} if a limit would be exceeded. {@link
 * dev.offcut.memory.ClosedPoolException}, {@link dev.offcut.memory.ClosedOwnerException} or {@link
 * dev.offcut.memory.ClosedHeapException} if the pool, the owner or this allocator is closed. None
 * of them changes anything.
 */
public final class OffcutByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider, AutoCloseable {
  private final Owner owner;
  private final BlockHeap heap;

  private final LongAdder arrayBytes = new LongAdder();
  private final Metric metric = new Metric();
  private volatile boolean closing;

  private final boolean prefersDirect;

  /** Netty's own tests want one that prefers arrays, too. */
  OffcutByteBufAllocator(Owner owner, boolean prefersDirect) {
    super(prefersDirect);
    this.owner = owner;
    this.prefersDirect = prefersDirect;
    heap = owner.openHeap();
  }

  /**
   * Opens an allocator whose direct buffers are charged to an owner.
   *
   * @param owner whom the buffers are charged to
   * @return the allocator; the caller closes it
   * @throws dev.offcut.memory.ClosedOwnerException if the owner is closed
   */
  public static OffcutByteBufAllocator on(Owner owner) {
    return new OffcutByteBufAllocator(owner, true);
  }

  /**
   * Returns the allocator of this process. It is made at the first call, on a pool named {@code
   * netty}, and is never closed. The system property {@code offcut.netty.limit} limits the pool, in
   * bytes.
   *
   * @return the allocator
   * @throws IllegalArgumentException if the property is not a number of bytes
   */
  public static OffcutByteBufAllocator shared() {
    return Shared.ALLOCATOR;
  }

  private static final class Shared {
    static final OffcutByteBufAllocator ALLOCATOR = on(pool().owner());

    private static MemoryPool pool() {
      MemoryPool.Builder builder = MemoryPool.named("netty");
      String limit = System.getProperty("offcut.netty.limit");
      if (limit != null) {
        try {
          builder.limit(Long.parseLong(limit));
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(
              "-Doffcut.netty.limit=" + limit + ": give a number of bytes, such as 268435456", e);
        }
      }
      return builder.create();
    }
  }

  /** {@return the owner that the direct buffers are charged to} */
  public Owner owner() {
    return owner;
  }

  // Netty's would be arrays where Netty has no Unsafe: it could not free direct buffers there.

  @Override
  public ByteBuf buffer() {
    return prefersDirect ? directBuffer() : heapBuffer();
  }

  @Override
  public ByteBuf buffer(int initialCapacity) {
    return prefersDirect ? directBuffer(initialCapacity) : heapBuffer(initialCapacity);
  }

  @Override
  public ByteBuf buffer(int initialCapacity, int maxCapacity) {
    return prefersDirect
        ? directBuffer(initialCapacity, maxCapacity)
        : heapBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public CompositeByteBuf compositeBuffer(int maxNumComponents) {
    return prefersDirect
        ? compositeDirectBuffer(maxNumComponents)
        : compositeHeapBuffer(maxNumComponents);
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return toLeakAwareBuffer(new PoolBuffer(this, initialCapacity, maxCapacity));
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new ArrayBuffer(initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  /** Takes a block of a size above 0. */
  long allocateBlock(int bytes) {
    long address = 0;
    boolean kept = false;
    try {
      address = heap.allocate(bytes);
      kept = !closing; // after the block is out: a close sees it, or this sees the close
    } catch (MemoryLimitException e) {
      throw new MemoryLimitError(e);
    } finally {
      if (!kept && address != 0) {
        heap.free(address);
      }
    }
    if (!kept) {
      throw new IllegalStateException(this + " is being closed; it hands out no buffer");
    }
    return address;
  }

  void freeBlock(long address) {
    heap.free(address);
  }

  /** The bytes of a block in use. */
  long blockBytes(long address) {
    return heap.bytesOf(address);
  }

  /** Resizes a block, in place if it can. */
  long reallocateBlock(long address, int bytes) {
    try {
      return heap.reallocate(address, bytes);
    } catch (MemoryLimitException e) {
      throw new MemoryLimitError(e);
    }
  }

  /**
   * Returns the bytes that are in use. {@code usedDirectMemory} counts the blocks of direct
   * buffers, {@code usedHeapMemory} the arrays of heap buffers. A call takes microseconds.
   */
  @Override
  public ByteBufAllocatorMetric metric() {
    return metric;
  }

  private final class Metric implements ByteBufAllocatorMetric {
    @Override
    public long usedHeapMemory() {
      return arrayBytes.sum();
    }

    @Override
    public long usedDirectMemory() {
      return heap.usedBytes();
    }

    @Override
    public String toString() {
      return "usedHeapMemory: " + usedHeapMemory() + "; usedDirectMemory: " + usedDirectMemory();
    }
  }

  /** An array, as Netty makes them, but counted. */
  private final class ArrayBuffer extends UnpooledHeapByteBuf {
    ArrayBuffer(int initialCapacity, int maxCapacity) {
      super(OffcutByteBufAllocator.this, initialCapacity, maxCapacity);
    }

    @Override
    protected byte[] allocateArray(int initialCapacity) {
      byte[] array = super.allocateArray(initialCapacity);
      arrayBytes.add(array.length);
      return array;
    }

    @Override
    protected void freeArray(byte[] array) {
      super.freeArray(array);
      arrayBytes.add(-array.length);
    }
  }

  /**
   * Closes the allocator and gives its memory back to the pool. Further calls do nothing. The pool
   * and the owner stay open. While this method runs, a request of another thread may get an {@link
   * IllegalStateException}, even if this method then fails.
   *
   * @throws IllegalStateException if direct buffers are in use; the allocator stays open
   */
  @Override
  public synchronized void close() {
    closing = true;
    boolean closed = false;
    try {
      long used = heap.usedBytes();
      if (used != 0) {
        throw new IllegalStateException(
            this
                + " stays open: "
                + used
                + " bytes of direct buffers are in use; release them first");
      }
      heap.close();
      closed = true;
    } finally {
      closing = closed;
    }
  }

  @Override
  public String toString() {
    return "the allocator of " + owner;
  }
}
