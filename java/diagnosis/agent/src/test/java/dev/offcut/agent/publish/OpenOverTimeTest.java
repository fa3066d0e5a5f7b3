package dev.offcut.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How many were open over time, of call sites that are one place. */
class OpenOverTimeTest {
  private static long point(long millis, long open) {
    return millis << 20 | open;
  }

  @Test
  void sum_hasTheOpenOnesOfBothAtEachTime() {
    assertThat(
            Ledger.SiteCounts.sum(
                List.of(point(1, 1), point(3, 2), point(7, 3)), List.of(point(2, 10), point(9, 0))))
        .last()
        .isEqualTo(point(9, 3));
    assertThat(Ledger.SiteCounts.sum(List.of(point(1, 1)), null)).containsExactly(point(1, 1));
  }

  @Test
  void sum_hasNoMorePointsThanOneOfThem() {
    List<Long> some = LongStream.range(0, 32).mapToObj(i -> point(2 * i, i)).toList();
    List<Long> others = LongStream.range(0, 32).mapToObj(i -> point(2 * i + 1, i)).toList();
    assertThat(Ledger.SiteCounts.sum(some, others)).hasSize(32).last().isEqualTo(point(63, 62));
  }
}
