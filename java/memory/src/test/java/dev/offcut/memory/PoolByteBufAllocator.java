package dev.offcut.memory;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.util.internal.CleanableDirectBuffer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/** Netty's buffers, the direct ones of which are blocks of a heap. */
final class PoolByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider, ByteBufAllocatorMetric, AutoCloseable {
  private final MemoryPool pool = MemoryPool.named("netty").create();
  private final BlockHeap heap = pool.owner().openHeap();
  private final AtomicLong arrayBytes = new AtomicLong();

  PoolByteBufAllocator(boolean preferDirect) {
    super(preferDirect);
  }

  MemoryPool pool() {
    return pool;
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledDirectByteBuf(this, initialCapacity, maxCapacity) {
      @Override
      protected CleanableDirectBuffer allocateDirectBuffer(int capacity) {
        // A block of nothing has a byte, so that it has an address of its own.
        MemorySegment block = heap.allocateSegment(Math.max(capacity, 1));
        return new Block(heap, block, block.asSlice(0, capacity).asByteBuffer());
      }
    };
  }

  private record Block(BlockHeap heap, MemorySegment block, ByteBuffer buffer)
      implements CleanableDirectBuffer {
    @Override
    public void clean() {
      heap.free(block);
    }

    @Override
    public boolean hasMemoryAddress() {
      return true;
    }

    @Override
    public long memoryAddress() {
      return block.address();
    }
  }

  /** Not ours, but it is counted as Netty's tests want it. */
  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity) {
      @Override
      protected byte[] allocateArray(int capacity) {
        arrayBytes.addAndGet(capacity);
        return super.allocateArray(capacity);
      }

      @Override
      protected void freeArray(byte[] array) {
        arrayBytes.addAndGet(-array.length);
        super.freeArray(array);
      }
    };
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  @Override
  public ByteBufAllocatorMetric metric() {
    return this;
  }

  @Override
  public long usedHeapMemory() {
    return arrayBytes.get();
  }

  @Override
  public long usedDirectMemory() {
    return heap.usedBytes();
  }

  /** Ends it, whatever a test has left behind; everything must be in order. */
  @Override
  public void close() {
    pool.verify();
    heap.freeAll();
    pool.verify();
    heap.close();
    pool.close();
  }
}
