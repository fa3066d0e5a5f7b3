package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Samples.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class AheadTest {
  private static List<String> ahead(Row... rows) {
    return Ahead.in(List.of(rows), new TestSuite()).stream().map(Ahead::text).toList();
  }

  @Test
  void in_peerTakesLess_isAhead() {
    assertThat(ahead(row("offcut", "cpu_ns_per_op", 9), row("peer", "cpu_ns_per_op", 8)))
        .containsExactly("one, 1 thread, cpu_ns_per_op: peer 8, offcut 9");
  }

  @Test
  void in_peerDoesMore_isAhead() {
    assertThat(ahead(row("offcut", "ops_per_ms", 8), row("peer", "ops_per_ms", 9))).hasSize(1);
  }

  @Test
  void in_peerIsSlower_isNot() {
    assertThat(ahead(row("offcut", "cpu_ns_per_op", 7), row("peer", "cpu_ns_per_op", 8))).isEmpty();
  }

  @Test
  void in_baseline_isNoPeer() {
    assertThat(ahead(row("offcut", "cpu_ns_per_op", 7), row("plain", "cpu_ns_per_op", 1)))
        .isEmpty();
  }
}
