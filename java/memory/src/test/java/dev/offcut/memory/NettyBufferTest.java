package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufTest;
import io.netty.buffer.ByteBuf;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The tests that Netty has for buffers, on those of a pool. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NettyBufferTest extends AbstractByteBufTest {
  private final PoolByteBufAllocator allocator = new PoolByteBufAllocator(true);

  @Override
  protected ByteBuf newBuffer(int capacity, int maxCapacity) {
    ByteBuf buffer = allocator.directBuffer(capacity, maxCapacity);
    assertThat(buffer.writerIndex()).isZero();
    assertThat(buffer.readerIndex()).isZero();
    return buffer;
  }

  @AfterAll
  void close() {
    assertThat(allocator.usedDirectMemory()).as("what the tests left behind").isZero();
    allocator.close();
  }
}
