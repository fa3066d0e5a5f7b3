package dev.offcut.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.memory.ClosedHeapException;
import dev.offcut.memory.ClosedPoolException;
import dev.offcut.memory.MemoryInUseException;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import io.netty.buffer.ByteBuf;
import io.netty.util.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffcutByteBufAllocatorTest {
  private static final int KIB = 1024;

  private final MemoryPool pool = MemoryPool.named("test").create();
  private final Owner owner = pool.owner().child("buffers").hardLimit(16 << 20).create();
  private final OffcutByteBufAllocator allocator = OffcutByteBufAllocator.on(owner);

  @AfterEach
  void close() {
    pool.verify();
    allocator.close();
    pool.close();
  }

  @Test
  void tests_ofEachRun_useTheNettyThatTheyAreFor() {
    assertThat(Version.identify()).containsKey("netty-buffer");
    assertThat(String.valueOf(Version.identify().get("netty-buffer")))
        .startsWith("netty-buffer-" + System.getProperty("netty.expected"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 4 * KIB, 33 * KIB, 1 << 20, 5 << 20})
  void bytes_ofEachKindOfBuffer_areOfThePool(int bytes) {
    List<ByteBuf> buffers = new ArrayList<>();
    buffers.add(allocator.directBuffer(bytes, 8 << 20));
    buffers.add(allocator.buffer(bytes, 8 << 20));
    buffers.add(allocator.ioBuffer(bytes, 8 << 20));
    long used = allocator.metric().usedDirectMemory();
    assertThat(used).isGreaterThanOrEqualTo(3L * bytes).isPositive();
    assertThat(used).isEqualTo(pool.snapshot().usedBytes());
    for (ByteBuf buffer : buffers) {
      assertThat(allocator.blockBytes(buffer.memoryAddress())).isGreaterThanOrEqualTo(bytes);
    }
    buffers.forEach(ByteBuf::release);
    assertThat(pool.snapshot().usedBytes()).isZero();
  }

  @Test
  void bytes_ofGrownCopiedAndSlicedBuffers_areOfThePool() {
    ByteBuf buffer = allocator.buffer(16);
    for (int i = 0; i < 100_000; i++) {
      buffer.writeInt(i);
    }
    ByteBuf copy = buffer.copy();
    ByteBuf slice = copy.retainedSlice(4, 8);
    copy.release();
    for (ByteBuf each : List.of(buffer, slice)) {
      assertThat(each.isDirect()).isTrue();
      assertThat(each.alloc()).isSameAs(allocator);
    }
    assertThat(allocator.blockBytes(buffer.memoryAddress())).isGreaterThanOrEqualTo(400_000);
    assertThat(allocator.blockBytes(slice.memoryAddress() - 4)).isGreaterThanOrEqualTo(400_000);
    assertThat(slice.getInt(0)).isEqualTo(1);
    assertThat(buffer.getInt(4 * 99_999)).isEqualTo(99_999);
    buffer.release();
    slice.release();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  @Test
  void compositeBuffer_withoutMore_isDirect() {
    ByteBuf composite = allocator.compositeBuffer();
    composite.writeLong(7);
    assertThat(composite.isDirect()).isTrue();
    assertThat(allocator.metric().usedDirectMemory()).isPositive();
    composite.release();
  }

  @Test
  void metric_ofHeapBuffers_countsTheirArrays() {
    ByteBuf buffer = allocator.heapBuffer(100);
    assertThat(allocator.metric().usedHeapMemory()).isEqualTo(100);
    assertThat(allocator.metric().usedDirectMemory()).isZero();
    assertThat(allocator.metric()).hasToString("usedHeapMemory: 100; usedDirectMemory: 0");
    buffer.release();
    assertThat(allocator.metric().usedHeapMemory()).isZero();
  }

  @Test
  void directBuffer_aboveTheOwnersLimit_isAnOutOfMemoryErrorThatNamesTheOwner() {
    ByteBuf first = allocator.directBuffer(9 << 20);
    long used = pool.snapshot().usedBytes();
    assertThatThrownBy(() -> allocator.directBuffer(9 << 20))
        .isInstanceOf(OutOfMemoryError.class)
        .isExactlyInstanceOf(MemoryLimitError.class)
        .hasMessageContaining("the limit of buffers, 16777216 bytes, would be exceeded")
        .hasCauseInstanceOf(MemoryLimitException.class);
    assertThat(pool.snapshot().usedBytes()).isEqualTo(used);
    first.release();
    allocator.directBuffer(9 << 20).release();
  }

  @Test
  void capacity_aboveTheOwnersLimit_leavesTheBufferAsItWas() {
    ByteBuf buffer = allocator.directBuffer(8).writeLong(42);
    long address = buffer.memoryAddress();
    assertThatThrownBy(() -> buffer.capacity(32 << 20)).isInstanceOf(MemoryLimitError.class);
    assertThat(buffer.capacity()).isEqualTo(8);
    assertThat(buffer.memoryAddress()).isEqualTo(address);
    assertThat(buffer.readLong()).isEqualTo(42);
    buffer.release();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  @Test
  void close_withBuffersInUse_refusesAndSaysHowMany() {
    ByteBuf buffer = allocator.directBuffer(KIB);
    assertThatThrownBy(allocator::close)
        .hasMessage(
            "the allocator of buffers stays open: 1024 bytes of direct buffers are in use; release"
                + " them first");
    assertThatThrownBy(pool::close).isInstanceOf(MemoryInUseException.class);
    buffer.writeLong(5);
    allocator.directBuffer().release();
    buffer.release();
  }

  @Test
  void directBuffer_afterTheClose_saysSo() {
    allocator.close();
    assertThatThrownBy(allocator::directBuffer)
        .isInstanceOf(ClosedHeapException.class)
        .hasMessage("the heap of buffers is closed; all its blocks are free");
    allocator.close();
  }

  @Test
  void directBuffer_ofAPoolThatWasClosedUnderIt_saysSo() {
    MemoryPool closed = MemoryPool.named("gone").create();
    OffcutByteBufAllocator orphan = OffcutByteBufAllocator.on(closed.owner());
    closed.close();
    assertThatThrownBy(orphan::directBuffer)
        .isInstanceOf(ClosedPoolException.class)
        .hasMessage("pool gone is closed; nothing can be taken from it");
    orphan.close();
  }

  @Test
  void release_onAnotherThread_givesTheMemoryBack() throws Exception {
    BlockingQueue<ByteBuf> handed = new ArrayBlockingQueue<>(64);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int task = 0; task < 200; task++) {
        int stamp = task;
        tasks.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    handed.put(allocator.directBuffer(16 + i * 100).writeInt(stamp).writeInt(i));
                  }
                  return null;
                }));
        tasks.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    ByteBuf buffer = handed.take();
                    buffer.readInt();
                    assertThat(buffer.capacity()).isEqualTo(16 + buffer.readInt() * 100);
                    assertThat(buffer.release()).isTrue();
                  }
                  return null;
                }));
      }
      for (Future<?> task : tasks) {
        task.get();
      }
    }
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }
}
