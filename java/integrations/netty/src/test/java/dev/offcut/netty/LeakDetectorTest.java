package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryPool;
import io.netty.buffer.ByteBuf;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import shop.Till;

/** What Netty's own leak detector says of our buffers. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LeakDetectorTest {
  /** Netty keeps it only as long as somebody refers to it. */
  private static final Logger LOGGER = Logger.getLogger(ResourceLeakDetector.class.getName());

  private final Queue<String> messages = new ConcurrentLinkedQueue<>();
  private final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
  private final Messages handler = new Messages();

  private final class Messages extends Handler {
    @Override
    public void publish(LogRecord entry) {
      messages.add(entry.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void end() {
    LOGGER.removeHandler(handler);
    ResourceLeakDetector.setLevel(level);
  }

  /** Until the detector tells of a buffer that the till took: it looks when one is taken. */
  private void awaitReport(OffcutByteBufAllocator allocator) {
    while (messages.stream().noneMatch(message -> message.contains("shop.Till.open(Till.java:"))) {
      System.gc();
      allocator.directBuffer(1).release();
    }
  }

  @Test
  void buffer_thatIsForgotten_isReportedByTheLineThatTookItAndStaysCharged() {
    MemoryPool pool = MemoryPool.named("test").create();
    OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(pool.owner());
    Till.open(allocator).writeLong(1);
    awaitReport(allocator);
    assertThat(messages).anyMatch(message -> message.startsWith("LEAK: ByteBuf.release()"));
    assertThat(pool.snapshot().usedBytes()).isGreaterThanOrEqualTo(1000);
  }

  @Test
  void buffer_thatIsReleased_isNotReported() {
    MemoryPool pool = MemoryPool.named("test").create();
    OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(pool.owner());
    allocator.directBuffer(10).release();
    ByteBuf grown = allocator.directBuffer(1).writeZero(100_000);
    grown.release();
    Till.open(allocator); // what is found at last is found with all before it
    awaitReport(allocator);
    assertThat(messages)
        .filteredOn(message -> message.contains("buffer_thatIsReleased_isNotReported"))
        .allMatch(message -> message.contains("shop.Till"));
  }

  @Test
  void allocator_thatIsForgottenWithItsBuffers_leavesNothing() {
    MemoryPool pool = MemoryPool.named("dropped").create();
    OffcutByteBufAllocator.on(pool.owner()).directBuffer(100);
    while (pool.snapshot().usedBytes() != 0) {
      assertThat(Handles.drain(Duration.ofMinutes(1))).isTrue();
    }
    pool.close();
  }
}
