package dev.offcut.bench.memory;

import dev.offcut.memory.MemoryPool;
import dev.offcut.netty.OffcutByteBufAllocator;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Direct buffers behind Netty's interface: {@code netty-adaptive} and {@code netty-pooled} of its
 * own allocators, {@code offcut-netty} of ours. All find forgotten buffers as they do by default.
 */
final class NettyBuffers implements Allocator {
  private final ByteBufAllocator allocator;

  private NettyBuffers(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  static Allocator adaptive() {
    return new NettyBuffers(new AdaptiveByteBufAllocator(true));
  }

  static Allocator pooled() {
    return new NettyBuffers(new PooledByteBufAllocator(true));
  }

  static Allocator offcut() {
    return new NettyBuffers(OffcutByteBufAllocator.on(pool().owner()));
  }

  private static MemoryPool pool() {
    return MemoryPool.named("bench").create();
  }

  @Override
  public Slots table(int slots) {
    return new Buffers(allocator, slots);
  }

  @Override
  public void trim() {
    if (allocator instanceof PooledByteBufAllocator pooled) {
      boolean ignored = pooled.trimCurrentThreadCache();
    } else if (allocator instanceof OffcutByteBufAllocator offcut) {
      offcut.owner().pool().trim();
    }
  }

  @Override
  public void close() {
    if (allocator instanceof OffcutByteBufAllocator offcut) {
      offcut.close();
      offcut.owner().pool().close();
    }
  }

  /** Threads of Netty's kind, on which its allocators are at their best: an executor of JMH. */
  public static final class Threads extends ThreadPoolExecutor {
    /** As JMH calls it. */
    public Threads(int threads, String prefix) {
      super(
          threads,
          threads,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          new DefaultThreadFactory(prefix));
    }

    /** Of a JVM whose benchmark runs on them. */
    static final List<String> OPTIONS =
        List.of("-Djmh.executor=CUSTOM", "-Djmh.executor.class=" + Threads.class.getName());
  }

  private static final class Buffers extends Slots {
    private final ByteBufAllocator allocator;
    private final ByteBuf[] buffers;

    Buffers(ByteBufAllocator allocator, int slots) {
      this.allocator = allocator;
      buffers = new ByteBuf[slots];
    }

    @Override
    void take(int slot, int bytes) {
      ByteBuf buffer = allocator.directBuffer(bytes);
      buffer.setLong(0, stamp(slot));
      buffers[slot] = buffer;
    }

    @Override
    void give(int slot) {
      ByteBuf buffer = buffers[slot];
      check(slot, buffer.getLong(0));
      buffer.release();
    }

    @Override
    long address(int slot) {
      return buffers[slot].memoryAddress();
    }
  }
}
