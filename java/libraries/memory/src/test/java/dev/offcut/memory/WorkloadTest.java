package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The patterns run at every level, and leave nothing behind. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class WorkloadTest {
  private static final int OPERATIONS = 50_000;

  @ParameterizedTest
  @EnumSource
  void workload_atEveryLevel_leavesNothing(Workload workload) throws Exception {
    for (Hardening level : List.of(Hardening.OFF, Hardening.sampled(100), Hardening.FULL)) {
      try (MemoryPool pool =
          MemoryPool.named("workload").decay(Duration.ofMillis(2)).limit(256 << 20).create()) {
        try (BlockHeap heap = pool.owner().openHeap(level)) {
          assertThat(workload.run(Workload.Malloc.of(heap), 4, OPERATIONS)).isPositive();
          assertThat(heap.usedBytes()).isZero();
          pool.verify();
        }
        pool.verify();
        assertThat(pool.snapshot().handedOutBytes()).isZero();
      }
    }
  }
}
