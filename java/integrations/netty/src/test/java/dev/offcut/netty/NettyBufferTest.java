package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBufTest;
import io.netty.buffer.ByteBuf;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The tests that Netty has for buffers, on ours, in the forms in which Netty runs them on its own.
 */
class NettyBufferTest {
  @TestInstance(Lifecycle.PER_CLASS)
  abstract static class Form extends AbstractByteBufTest {
    final OffcutByteBufAllocator allocator = SuiteAllocator.open(true);

    /** The form of a buffer that the tests are given. */
    abstract ByteBuf form(int capacity, int maxCapacity);

    @Override
    protected ByteBuf newBuffer(int capacity, int maxCapacity) {
      ByteBuf buffer = form(capacity, maxCapacity);
      assertThat(buffer.writerIndex()).isZero();
      assertThat(buffer.readerIndex()).isZero();
      return buffer;
    }

    @AfterAll
    void close() {
      assertThat(allocator.metric().usedDirectMemory()).as("what the tests left behind").isZero();
      SuiteAllocator.close(allocator);
    }
  }

  @Nested
  class BigEndian extends Form {
    @Override
    ByteBuf form(int capacity, int maxCapacity) {
      return allocator.directBuffer(capacity, maxCapacity);
    }
  }

  @Nested
  @Tag("more-forms")
  class LittleEndian extends Form {
    @Override
    @SuppressWarnings("deprecation") // what has an order is to be tested
    ByteBuf form(int capacity, int maxCapacity) {
      return allocator.directBuffer(capacity, maxCapacity).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  @Nested
  @Tag("more-forms")
  class Heap extends Form {
    @Override
    ByteBuf form(int capacity, int maxCapacity) {
      return allocator.heapBuffer(capacity, maxCapacity);
    }
  }
}
