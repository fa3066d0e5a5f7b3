package dev.offcut.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.Handles;
import dev.offcut.memory.ClosedHeapException;
import dev.offcut.memory.ClosedOwnerException;
import dev.offcut.memory.ClosedPoolException;
import dev.offcut.memory.MemoryInUseException;
import dev.offcut.memory.MemoryLimitException;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.arrow.memory.AllocationReservation;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OffcutAllocationManagerFactoryTest {
  private static final int MIB = 1 << 20;

  private final MemoryPool pool = MemoryPool.named("test").create();
  private final Owner owner = pool.owner().child("batches").hardLimit(16 * MIB).create();
  private final OffcutAllocationManagerFactory memory = OffcutAllocationManagerFactory.on(owner);
  private final RootAllocator allocator = memory.newRootAllocator();

  @AfterEach
  void close() {
    pool.verify();
    allocator.verify();
    allocator.close();
    memory.close();
    pool.close();
  }

  @Test
  void tests_ofEachRun_useTheArrowThatTheyAreFor() {
    assertThat(Proof.version()).isEqualTo(System.getProperty("arrow.expected"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100, 4 << 10, 33 << 10, MIB, 5 * MIB})
  void bytes_ofABuffer_areOfThePool(int bytes) {
    try (ArrowBuf buffer = allocator.buffer(bytes)) {
      long used = memory.usedBytes();
      assertThat(used).isGreaterThanOrEqualTo(allocator.getAllocatedMemory());
      assertThat(used).isEqualTo(pool.snapshot().usedBytes());
      assertThat(memory.blockBytes(buffer.memoryAddress())).isGreaterThanOrEqualTo(bytes);
      buffer.setByte(bytes - 1, 42);
      assertThat(buffer.getByte(bytes - 1)).isEqualTo((byte) 42);
    }
    assertThat(pool.snapshot().usedBytes()).isZero();
    assertThat(allocator.getAllocatedMemory()).isZero();
  }

  @Test
  void buffer_ofNoBytes_hasAnAddressAndNeedsNoRelease() {
    ArrowBuf empty = allocator.buffer(0);
    assertThat(empty.capacity()).isZero();
    assertThat(empty.memoryAddress()).isNotZero();
    empty.close();
    empty.close();
    assertThat(memory.usedBytes()).isZero();
    assertThat(memory.create(allocator, 0).getSize()).isZero();
    assertThat(memory.usedBytes()).isPositive(); // until the manager is unreachable
    assertThat(Handles.drain(Duration.ofMinutes(1))).isTrue();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void memory_ofABufferWithSlicesInTwoAllocators_comesBackWithTheLast() {
    BufferAllocator one = allocator.newChildAllocator("one", 0, MIB);
    BufferAllocator two = allocator.newChildAllocator("two", 0, MIB);
    ArrowBuf buffer = one.buffer(1024);
    buffer.setLong(512, 7);
    ArrowBuf slice = buffer.slice(512, 8);
    ArrowBuf moved = slice.getReferenceManager().retain(slice, two);
    buffer.close();
    assertThat(one.getAllocatedMemory()).isZero();
    assertThat(two.getAllocatedMemory()).isEqualTo(1024);
    assertThat(moved.getLong(0)).isEqualTo(7);
    assertThat(memory.usedBytes()).isEqualTo(1024);
    moved.close();
    assertThat(memory.usedBytes()).isZero();
    one.close();
    two.close();
  }

  @Test
  void buffer_aboveTheOwnersLimit_isAnOutOfMemoryExceptionThatNamesTheOwner() {
    ArrowBuf first = allocator.buffer(8 * MIB);
    long used = pool.snapshot().usedBytes();
    assertThatThrownBy(() -> allocator.buffer(16 * MIB))
        .isExactlyInstanceOf(OutOfMemoryException.class)
        .hasMessageContaining("the limit of batches, 16777216 bytes, would be exceeded")
        .hasCauseInstanceOf(MemoryLimitException.class);
    assertThat(pool.snapshot().usedBytes()).isEqualTo(used);
    assertThat(allocator.getAllocatedMemory()).isEqualTo(8 * MIB);
    first.close();
    allocator.buffer(8 * MIB).close();
  }

  /** Without a close of the reservation: after a failure Arrow would take it off twice. */
  @Test
  void reservation_aboveTheOwnersLimit_countsNothing() {
    AllocationReservation reservation = allocator.newReservation();
    assertThat(reservation.add(32 * MIB)).isTrue();
    assertThat(allocator.getAllocatedMemory()).isEqualTo(32 * MIB);
    assertThat(memory.usedBytes()).isZero();
    assertThatThrownBy(reservation::allocateBuffer)
        .isExactlyInstanceOf(OutOfMemoryException.class)
        .hasMessageContaining("the limit of batches, 16777216 bytes, would be exceeded");
    assertThat(allocator.getAllocatedMemory()).isZero();
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void reservation_withinTheLimit_becomesABuffer() {
    try (AllocationReservation reservation = allocator.newReservation()) {
      assertThat(reservation.add(1000)).isTrue();
      ArrowBuf buffer = reservation.allocateBuffer();
      assertThat(memory.blockBytes(buffer.memoryAddress())).isGreaterThanOrEqualTo(1000);
      buffer.close();
    }
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void limitOfArrow_belowWhatIsInUse_refusesTheNextBufferAlone() {
    ArrowBuf buffer = allocator.buffer(MIB);
    buffer.setLong(0, 5);
    allocator.setLimit(MIB / 2);
    assertThatThrownBy(() -> allocator.buffer(8))
        .isExactlyInstanceOf(OutOfMemoryException.class)
        .hasMessageContaining("due to memory limit");
    assertThat(buffer.getLong(0)).isEqualTo(5);
    assertThat(memory.usedBytes()).isEqualTo(MIB);
    allocator.setLimit(Long.MAX_VALUE);
    allocator.buffer(8).close();
    buffer.close();
  }

  @Test
  void limitOfThePool_belowWhatIsInUse_refusesTheOpeningInOneSentence() {
    MemoryPool small = MemoryPool.named("small").limit(8 * MIB).create();
    Owner other = small.owner().child("other").create();
    try (Reservation held = other.reserve(8 * MIB)) {
      assertThatThrownBy(() -> OffcutAllocationManagerFactory.on(small.owner()))
          .isInstanceOf(OutOfMemoryException.class)
          .hasMessageContaining("the limit of the pool, 8388608 bytes, would be exceeded");
      assertThat(held.bytes()).isEqualTo(8 * MIB);
    }
    assertThat(small.snapshot().usedBytes()).isZero();
    small.close();
  }

  @Test
  void close_withBuffersInUse_refusesAndSaysHowMany() {
    ArrowBuf buffer = allocator.buffer(1024);
    assertThatThrownBy(memory::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the memory of Arrow for batches stays open: 1024 bytes of buffers are in use; close"
                + " them first");
    assertThatThrownBy(pool::close).isInstanceOf(MemoryInUseException.class);
    buffer.setLong(0, 5);
    allocator.buffer(8).close();
    buffer.close();
  }

  @Test
  void buffer_afterTheClose_saysSo() {
    memory.close();
    assertThatThrownBy(() -> allocator.buffer(8))
        .isInstanceOf(ClosedHeapException.class)
        .hasMessage("the heap of batches is closed; all its blocks are free");
    assertThat(allocator.getAllocatedMemory()).isZero();
    memory.close();
  }

  @Test
  void buffer_ofAPoolThatWasClosedUnderIt_saysSo() {
    MemoryPool closed = MemoryPool.named("gone").create();
    OffcutAllocationManagerFactory orphan = OffcutAllocationManagerFactory.on(closed.owner());
    BufferAllocator root = orphan.newRootAllocator();
    closed.close();
    assertThatThrownBy(() -> root.buffer(8))
        .isInstanceOf(ClosedPoolException.class)
        .hasMessage("pool gone is closed; nothing can be taken from it");
    assertThat(root.getAllocatedMemory()).isZero();
    root.close();
    orphan.close();
  }

  @Test
  void on_aClosedOwner_saysSo() {
    Owner closed = pool.owner().child("gone").create();
    closed.close();
    assertThatThrownBy(() -> OffcutAllocationManagerFactory.on(closed))
        .isInstanceOf(ClosedOwnerException.class);
  }

  @Test
  void release_onAnotherThread_givesTheMemoryBack() throws Exception {
    BlockingQueue<ArrowBuf> handed = new ArrayBlockingQueue<>(64);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int task = 0; task < 200; task++) {
        tasks.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    ArrowBuf buffer = allocator.buffer(16 + i * 100);
                    buffer.setLong(0, buffer.capacity());
                    handed.put(buffer);
                  }
                  return null;
                }));
        tasks.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 50; i++) {
                    ArrowBuf buffer = handed.take();
                    assertThat(buffer.getLong(0)).isEqualTo(buffer.capacity());
                    buffer.close();
                  }
                  return null;
                }));
      }
      for (Future<?> task : tasks) {
        task.get();
      }
    }
    assertThat(memory.usedBytes()).isZero();
    assertThat(allocator.getAllocatedMemory()).isZero();
  }

  @Test
  void proof_ofAFactoryThatTakesOtherMemory_saysWhatToDo() {
    assertThatThrownBy(() -> Proof.check(memory, pool.owner().openHeap()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "Arrow "
                + System.getProperty("arrow.expected")
                + " does not keep its buffers in the pool (the pool is not asked for their memory):"
                + " use Arrow 17 or 18, or another allocation manager");
  }
}
