package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufAllocatorTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tests that Netty has for allocators, on ours. */
class NettyAllocatorTest extends AbstractByteBufAllocatorTest<OffcutByteBufAllocator> {
  private final List<OffcutByteBufAllocator> opened = new ArrayList<>();

  @Override
  protected OffcutByteBufAllocator newAllocator(boolean preferDirect) {
    OffcutByteBufAllocator allocator = SuiteAllocator.open(preferDirect);
    opened.add(allocator);
    return allocator;
  }

  @Override
  protected OffcutByteBufAllocator newUnpooledAllocator() {
    return newAllocator(false);
  }

  /** The original looks at whether Netty could free such a buffer. */
  @Override
  protected boolean isDirectExpected(boolean preferDirect) {
    return preferDirect;
  }

  /** The original asks for Netty's own classes. */
  @Test
  @Override
  public void testUnsafeHeapBufferAndUnsafeDirectBuffer() {
    OffcutByteBufAllocator allocator = newUnpooledAllocator();
    ByteBuf direct = allocator.directBuffer();
    assertThat(allocator.metric().usedDirectMemory()).isPositive();
    direct.release();
    ByteBuf heap = allocator.heapBuffer();
    assertThat(heap).isInstanceOf(UnpooledHeapByteBuf.class);
    heap.release();
  }

  /** The original asks for arrays, which are not of the pool. */
  @Test
  @Override
  public void shouldReuseChunks() {
    int bytes = 1 << 20;
    OffcutByteBufAllocator allocator = newAllocator(true);
    for (int i = 0; i < 100; i++) {
      assertThat(allocator.directBuffer(bytes, bytes).setZero(0, bytes).release()).isTrue();
    }
    assertThat(allocator.owner().pool().snapshot().committedBytes()).isLessThan(8L * bytes);
  }

  @AfterEach
  void close() {
    opened.forEach(SuiteAllocator::close);
  }
}
