package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Heaps that put freed blocks aside are closed while others trim the pool. */
final class HeapCloseTest {
  private static final int HEAPS = 1_000;
  private static final int BLOCKS = 40;

  private static void repeat(AtomicBoolean done, Runnable work) {
    while (!done.get()) {
      work.run();
    }
  }

  /** A trim frees what was put aside: none of it may look like a block that is out. */
  @ParameterizedTest
  @MethodSource("dev.offcut.memory.BlockHeapThreadsTest#levels")
  void close_ofAHeapWhoseBlocksAreFreed_besideTrims_leaksNothing(Hardening level) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    try (MemoryPool pool = PoolInvariants.pool("close").create();
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      Runnable look = () -> assertThat(pool.snapshot().usedBytes()).isNotNegative();
      Future<?> trims = threads.submit(() -> repeat(done, pool::trim));
      Future<?> looks = threads.submit(() -> repeat(done, look));
      try {
        for (int i = 0; i < HEAPS; i++) {
          try (BlockHeap heap = pool.owner().openHeap(level)) {
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
    }
  }
}
