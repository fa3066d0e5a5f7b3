package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heaps that put freed blocks aside are closed while others trim the pool. */
final class HeapCloseTest {
  private static final int HEAPS = 1_000;
  private static final int BLOCKS = 40;

  private static BlockHeap open(Owner owner, String kind) {
    return switch (kind) {
      case "hardened" -> owner.openHeap(Hardening.FULL);
      default -> owner.openHeap();
    };
  }

  /** A trim frees what was put aside: none of it may look like a block that is out. */
  @ParameterizedTest
  @ValueSource(strings = {"hardened", "plain"})
  void close_ofAHeapWhoseBlocksAreFreed_besideTrims_leaksNothing(String kind) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    AtomicBoolean done = new AtomicBoolean();
    try (MemoryPool pool = MemoryPool.named("close").decay(Duration.ofHours(1)).create()) {
      Future<?> trims =
          threads.submit(
              () -> {
                while (!done.get()) {
                  pool.trim();
                }
              });
      Future<?> looks =
          threads.submit(
              () -> {
                while (!done.get()) {
                  assertThat(pool.snapshot().usedBytes()).isNotNegative();
                }
              });
      try {
        for (int i = 0; i < HEAPS; i++) {
          try (BlockHeap heap = open(pool.owner(), kind)) {
            List<Long> blocks = new ArrayList<>();
            for (int block = 0; block < BLOCKS; block++) {
              blocks.add(heap.allocateSegment(1 + 100L * block).address());
            }
            blocks.forEach(heap::free);
            assertThat(heap.usedBytes()).isZero();
          }
        }
      } finally {
        done.set(true);
      }
      trims.get();
      looks.get();
      pool.trim();
      assertThat(pool.snapshot().handedOutBytes()).isZero();
      PoolInvariants.check(pool);
    } finally {
      threads.shutdownNow();
    }
  }
}
