package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocatorTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tests that Netty has for allocators, on one over a pool. */
class NettyAllocatorTest extends AbstractByteBufAllocatorTest<PoolByteBufAllocator> {
  private final List<PoolByteBufAllocator> opened = new ArrayList<>();

  @Override
  protected PoolByteBufAllocator newAllocator(boolean preferDirect) {
    PoolByteBufAllocator allocator = new PoolByteBufAllocator(preferDirect);
    opened.add(allocator);
    return allocator;
  }

  @Override
  protected PoolByteBufAllocator newUnpooledAllocator() {
    return newAllocator(false);
  }

  /** The original asks for arrays, which are not of the pool. */
  @Test
  @Override
  public void shouldReuseChunks() {
    int bytes = 1 << 20;
    PoolByteBufAllocator allocator = newAllocator(true);
    for (int i = 0; i < 100; i++) {
      assertThat(allocator.directBuffer(bytes, bytes).setZero(0, bytes).release()).isTrue();
    }
    assertThat(allocator.pool().snapshot().committedBytes()).isLessThan(8L * bytes);
  }

  @AfterEach
  void close() {
    opened.forEach(PoolByteBufAllocator::close);
  }
}
