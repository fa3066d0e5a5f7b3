package dev.offcut.memory;

import static java.util.concurrent.Executors.callable;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** A heap of one thread: all that holds for the others, and who may not use it. */
final class ConfinedHeapTest extends BlockHeapTest {
  @Override
  BlockHeap open(Owner of) {
    return of.openConfinedHeap();
  }

  @Test
  void anyUse_byAnotherThread_isRefused() throws Exception {
    long address = heap.allocate(64);
    List<Callable<Object>> uses =
        List.of(
            () -> heap.allocate(64),
            () -> heap.allocate(0),
            () -> heap.allocate(1 << 20),
            () -> heap.bytesOf(address),
            () -> heap.reallocate(address, 65),
            () -> heap.reallocate(address, 60),
            () -> heap.allocateSegment(64),
            callable(() -> heap.free(address)),
            callable(heap::freeAll),
            callable(heap::close));
    for (Callable<Object> use : uses) {
      assertThatThrownBy(() -> elsewhere(use))
          .isInstanceOf(WrongThreadException.class)
          .hasMessageContaining(Thread.currentThread().toString());
    }
    assertThat(heap.usedBytes()).isEqualTo(64);
  }

  private static void elsewhere(Callable<?> work) throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      other.submit(work).get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  void trim_byAnotherThread_isDoneAtTheNextFree() throws Exception {
    long kept = heap.allocate(64);
    heap.free(heap.allocate(1000));
    elsewhere(callable(pool::trim));
    assertThat(owner.chargedBytes()).isEqualTo(2 * (64 << 10));
    heap.free(kept);
    assertThat(owner.chargedBytes()).isZero();
  }

  @Test
  void decay_byAnotherThread_isDoneAtTheNextFree() throws Exception {
    long kept = heap.allocate(64);
    heap.free(heap.allocate(1000));
    for (int turn = 0; turn < 2; turn++) {
      assertThat(owner.chargedBytes()).isEqualTo(2 * (64 << 10));
      elsewhere(callable(pool::decay));
      heap.free(heap.allocate(64));
    }
    assertThat(owner.chargedBytes()).isEqualTo(64 << 10);
    heap.free(kept);
  }

  @Test
  void look_byAnotherThread_isAllowed() throws Exception {
    long address = heap.allocate(64);
    elsewhere(callable(pool::verify));
    elsewhere(() -> assertThat(pool.snapshot().usedBytes()).isEqualTo(64));
    heap.free(address);
  }
}
