package shop;

import dev.offcut.junit.NoNativeLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link Many}, with buffers of Netty: half of what leaks is unreachable, half is kept. */
abstract class ManyBuffers {
  private static final PooledByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
  private static final Queue<ByteBuf> KEPT = new ConcurrentLinkedQueue<>();
  private static final int OPENS_AT_END = 1_000;

  static IntStream numbers() {
    return Many.numbers();
  }

  @ParameterizedTest(name = "test {0}.")
  @MethodSource("numbers")
  void test(int number) {
    int opens = 1 + number % 8;
    for (int i = 0; i < opens; i++) {
      ByteBuf buffer = ALLOCATOR.directBuffer(256);
      buffer.writeLong(number);
      buffer.release();
    }
    if (Many.leaks(number)) {
      ByteBuf leaked = ALLOCATOR.directBuffer(256);
      if (number % 2 == 0) {
        KEPT.add(leaked);
      }
    }
    Kept.work(number);
  }

  /** Netty's detector looks at what the collector found when the next buffers are opened. */
  @AfterAll
  static void collect() {
    if (System.getProperty("io.netty.leakDetection.level") != null) {
      System.gc();
      for (int i = 0; i < OPENS_AT_END; i++) {
        ALLOCATOR.directBuffer(256).release();
      }
    }
  }
}

/** Many tests with buffers of Netty, checked. */
@NoNativeLeaks
class ManyBuffersTests extends ManyBuffers {}

/** The same tests, not checked. */
class ManyBuffersUncheckedTests extends ManyBuffers {}
