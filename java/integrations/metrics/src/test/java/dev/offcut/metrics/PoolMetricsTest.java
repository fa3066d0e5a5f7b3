package dev.offcut.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Pools, owners and budgets; on a JDK that is too old for pools, that there are none. */
class PoolMetricsTest {
  /** What the class files of {@code dev.offcut.memory} need. */
  private static final int OLDEST = 23;

  private static void check(Runnable whereThereArePools) {
    if (Runtime.version().feature() >= OLDEST) {
      whereThereArePools.run();
    } else {
      try (Scrapes scrapes = new Scrapes(1)) {
        assertThat(scrapes.scrape())
            .containsEntry("offcut.source.present{source=pools}", 0.0)
            .containsEntry("offcut.source.present{source=handles}", 1.0);
      }
    }
  }

  @Test
  void pool_hasTheValuesOfItsSnapshot() {
    check(() -> PoolChecks.values());
  }

  @Test
  void pool_thatIsClosed_hasNoMeters() {
    check(() -> PoolChecks.closed());
  }

  @Test
  void owners_beyondTheLargest_areOne() {
    check(() -> PoolChecks.largest());
  }

  @Test
  void budget_hasTheValuesOfItsSnapshot() {
    check(() -> PoolChecks.budget());
  }
}
