package dev.offcut.bench.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.ChildRunner;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each child in small: it ends well, and reports every metric of its case. */
class LongmapChildrenTest {
  private static final Map<String, List<String>> SMALL =
      Map.of(
          "put_remove_10k_lifo", List.of("offcut", "lifo", "500", "64", "2", "0.01", "0.01"),
          "put_remove_10k_fifo", List.of("artemis", "fifo", "500", "3000", "2", "0.01", "0.01"),
          "put_remove_1m_lifo", List.of("bookkeeper", "lifo", "500", "64", "1", "0.01", "0.01"),
          "put_remove_1m_fifo", List.of("jctools", "fifo", "500", "3000", "1", "0.01", "0.01"),
          "mixed_80_10_10", List.of("fastutil-sync", "500", "2", "0.01", "0.01"),
          "add_remove", List.of("jdk-chm", "0.01", "0.01"),
          "fifo_1k", List.of("agrona-sync", "5000", "100", "1000"),
          "burst_drain_1m", List.of("offcut", "5000", "0.01"),
          "grow_1m", List.of("offcut", "5000", "1"),
          "jna_memory", List.of("0.01", "0.01"));

  static Stream<Case> cases() {
    return new LongmapCases(true, null, false).all().stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_small_reportsAllMetrics(Case of) throws Exception {
    ChildRun small =
        ChildRun.of(
            "small",
            "G1",
            of.runs().getFirst().main(),
            SMALL.getOrDefault(of.name(), List.of()).toArray());
    assertThat(ChildRunner.metrics(small)).containsAll(of.metrics());
  }
}
