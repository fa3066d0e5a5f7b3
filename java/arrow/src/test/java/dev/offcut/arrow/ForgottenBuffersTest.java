package dev.offcut.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.Detection;
import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryPool;
import java.time.Duration;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.IntVector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import shop.Orders;

class ForgottenBuffersTest {
  private final MemoryPool pool = MemoryPool.named("test").create();
  private final OffcutAllocationManagerFactory memory =
      OffcutAllocationManagerFactory.on(pool.owner());
  private final BufferAllocator allocator = memory.newRootAllocator();
  private final Detection level = Handles.detection();

  @AfterEach
  void close() {
    Handles.detection(level);
    pool.verify();
    memory.close();
    pool.close();
  }

  private static HandleSnapshot.OfType counts() {
    assertThat(Handles.drain(Duration.ofMinutes(1))).isTrue();
    return Handles.snapshot().of(ForgottenBuffers.TYPE);
  }

  @Test
  void buffer_thatIsDropped_comesBackAndIsToldByTheLineThatTookIt() {
    Handles.detection(Detection.FULL);
    long before = counts().forgotten();
    for (int i = 0; i < 3; i++) {
      Orders.open(allocator).setLong(0, i);
    }
    HandleSnapshot.OfType after = counts();
    assertThat(after.forgotten() - before).isEqualTo(3);
    assertThat(memory.usedBytes()).isZero();
    assertThat(sites(after)).contains("shop.Orders.open(Orders.java:13)");
    assertThatThrownBy(allocator::close) // Arrow has its own count
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Memory was leaked by query");
  }

  @Test
  void vector_thatIsDropped_isToldByTheLineOfTheProgram() {
    Handles.detection(Detection.FULL);
    long before = counts().forgotten();
    Orders.numbers(allocator).set(0, 1);
    HandleSnapshot.OfType after = counts();
    assertThat(after.forgotten() - before).isPositive();
    assertThat(memory.usedBytes()).isZero();
    assertThat(sites(after)).contains("shop.Orders.numbers(Orders.java:19)");
  }

  private static List<String> sites(HandleSnapshot.OfType of) {
    return of.sites().keySet().stream().map(site -> site.get(0).toString()).toList();
  }

  @Test
  void buffers_thatAreReleased_areNotForgotten() {
    long before = counts().forgotten();
    Orders.open(allocator).close();
    try (IntVector numbers = Orders.numbers(allocator)) {
      numbers.setSafe(100_000, 1);
    }
    assertThat(counts().forgotten()).isEqualTo(before);
    allocator.close();
  }

  @Test
  void buffer_ofWhichASliceIsKept_isNotForgotten() {
    long before = counts().forgotten();
    ArrowBuf buffer = Orders.open(allocator);
    buffer.setLong(8, 2);
    ArrowBuf slice = buffer.slice(8, 8);
    buffer = null;
    assertThat(counts().forgotten()).isEqualTo(before);
    assertThat(slice.getLong(0)).isEqualTo(2);
    slice.close();
    allocator.close();
  }

  @Test
  void buffer_afterWhichAReleasedOneIsKept_isForgotten() {
    long before = counts().forgotten();
    ArrowBuf released = Orders.open(allocator);
    released.close();
    Orders.open(allocator); // has the tether of the released one
    assertThat(counts().forgotten()).isEqualTo(before + 1);
    assertThat(released.refCnt()).isZero();
  }

  @Test
  void factory_thatIsDroppedWithItsBuffers_leavesNothing() {
    MemoryPool other = MemoryPool.named("dropped").create();
    OffcutAllocationManagerFactory.on(other.owner()).newRootAllocator().buffer(100);
    counts();
    counts(); // of the heap, if its buffers came first
    assertThat(other.snapshot().usedBytes()).isZero();
    other.close();
    allocator.close();
  }

  @Test
  void buffer_withoutNet_hasNoHandle() {
    OffcutAllocationManagerFactory plain = OffcutAllocationManagerFactory.withoutNet(pool.owner());
    long before = counts().opened();
    try (BufferAllocator root = plain.newRootAllocator()) {
      root.buffer(10).close();
    }
    assertThat(counts().opened()).isEqualTo(before);
    plain.close();
    allocator.close();
  }
}
