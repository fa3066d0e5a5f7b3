package dev.offcut.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.offcut.memory.Budget;
import dev.offcut.memory.BudgetSnapshot;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.PoolSnapshot;
import dev.offcut.memory.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    check(() -> Checks.values());
  }

  @Test
  void pool_thatIsClosed_hasNoMeters() {
    check(() -> Checks.closed());
  }

  @Test
  void owners_beyondTheLargest_areOne() {
    check(() -> Checks.largest());
  }

  @Test
  void budget_hasTheValuesOfItsSnapshot() {
    check(() -> Checks.budget());
  }

  /** In a class that is loaded only where there are pools. */
  private static final class Checks {
    private Checks() {}

    static void values() {
      try (Scrapes scrapes = new Scrapes(5);
          MemoryPool pool = MemoryPool.named("server").limit(1L << 30).create()) {
        Owner cache = pool.owner().child("cache").hardLimit(64 << 20).create();
        long chunk = cache.allocateChunk(100_000);
        Reservation reserved = cache.reserve(12_345);
        Map<String, Double> values = scrapes.scrape();
        PoolSnapshot is = pool.snapshot();
        String of = "{pool=server}";
        assertThat(values)
            .containsEntry("offcut.source.present{source=pools}", 1.0)
            .containsEntry("offcut.pool.limit" + of, (double) (1L << 30))
            .containsEntry("offcut.pool.reserved" + of, (double) is.reservedBytes())
            .containsEntry("offcut.pool.committed" + of, (double) is.committedBytes())
            .containsEntry("offcut.pool.handed_out" + of, (double) is.handedOutBytes())
            .containsEntry("offcut.pool.used" + of, (double) is.usedBytes())
            .containsEntry("offcut.pool.kept" + of, (double) is.keptBytes())
            .containsEntry("offcut.pool.external" + of, 12_345.0)
            .containsEntry("offcut.pool.largest_free" + of, (double) is.largestFreeBytes());
        PoolSnapshot.OwnerShare share =
            is.owners().stream()
                .filter(each -> each.owner().equals("cache"))
                .findAny()
                .orElseThrow();
        String by = "{owner=cache,pool=server}";
        assertThat(share.committedBytes()).isPositive();
        assertThat(values)
            .containsEntry("offcut.owner.limit" + by, (double) (64 << 20))
            .containsEntry("offcut.owner.committed" + by, (double) share.committedBytes())
            .containsEntry("offcut.owner.handed_out" + by, (double) share.handedOutBytes())
            .containsEntry("offcut.owner.used" + by, (double) share.usedBytes())
            .containsEntry("offcut.owner.pinned" + by, (double) share.pinnedBytes())
            .containsEntry("offcut.owner.external" + by, 12_345.0);
        assertThat(values).doesNotContainKey("offcut.owner.limit{owner=server,pool=server}");
        reserved.close();
        pool.freeChunk(chunk);
      }
    }

    static void closed() {
      try (Scrapes scrapes = new Scrapes(5)) {
        MemoryPool pool = MemoryPool.named("passing").create();
        Owner owner = pool.owner().child("gone").create();
        assertThat(scrapes.scrape())
            .containsKey("offcut.pool.committed{pool=passing}")
            .containsKey("offcut.owner.used{owner=gone,pool=passing}");
        owner.close();
        assertThat(scrapes.scrape())
            .containsKey("offcut.pool.committed{pool=passing}")
            .doesNotContainKey("offcut.owner.used{owner=gone,pool=passing}");
        pool.close();
        assertThatCode(pool::snapshot).doesNotThrowAnyException();
        assertThat(scrapes.scrape().keySet())
            .noneMatch(name -> name.contains("passing"))
            .contains("offcut.source.present{source=pools}");
      }
    }

    static void largest() {
      try (Scrapes scrapes = new Scrapes(3);
          MemoryPool pool = MemoryPool.named("many").create()) {
        List<Reservation> all = new ArrayList<>();
        for (int i = 1; i <= 10; i++) {
          all.add(pool.owner().child("owner" + i).create().reserve(i * 1000L));
        }
        Map<String, Double> values = scrapes.scrape();
        assertThat(
                values.keySet().stream().filter(name -> name.startsWith("offcut.owner.external")))
            .containsExactlyInAnyOrder(
                "offcut.owner.external{owner=other,pool=many}",
                "offcut.owner.external{owner=owner10,pool=many}",
                "offcut.owner.external{owner=owner8,pool=many}",
                "offcut.owner.external{owner=owner9,pool=many}");
        assertThat(values).containsEntry("offcut.owner.external{owner=other,pool=many}", 28_000.0);
        // The next largest takes the place of one that shrank.
        all.get(9).close();
        assertThat(scrapes.scrape())
            .containsEntry("offcut.owner.external{owner=owner7,pool=many}", 7_000.0)
            .containsEntry("offcut.owner.external{owner=other,pool=many}", 21_000.0)
            .doesNotContainKey("offcut.owner.external{owner=owner10,pool=many}");
        all.forEach(Reservation::close);
      }
    }

    static void budget() {
      Budget budget = Budget.ofBytes(1 << 30).name("half").countDirectBuffers(false).create();
      try (Scrapes scrapes = new Scrapes(1);
          MemoryPool pool = MemoryPool.named("on").budget(budget).create();
          Budget.Registration parser = budget.register("parser", () -> 5_000_000);
          Budget.Registration codec = budget.register("codec", () -> 4_000)) {
        Reservation reserved = pool.owner().child("index").create().reserve(1_000);
        Map<String, Double> values = scrapes.scrape();
        BudgetSnapshot is = budget.snapshot();
        String of = "{budget=half}";
        assertThat(is.chargedBytes()).isEqualTo(1_000);
        assertThat(values)
            .containsEntry("offcut.budget.limit" + of, (double) (1 << 30))
            .containsEntry("offcut.budget.used" + of, (double) is.usedBytes())
            .containsEntry("offcut.budget.room" + of, (double) is.roomBytes())
            .containsEntry("offcut.budget.charged" + of, 1_000.0)
            .containsEntry("offcut.budget.margin" + of, 0.0)
            .containsEntry("offcut.budget.heap_growth" + of, 0.0)
            .containsEntry("offcut.budget.untouched" + of, 0.0)
            .containsEntry("offcut.budget.held{budget=half,holder=parser}", 5_000_000.0)
            .containsEntry("offcut.budget.held{budget=half,holder=other}", 5_000.0);
        reserved.close();
      }
    }
  }
}
