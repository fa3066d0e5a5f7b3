package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.child.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each program in small: it ends well, and reports every metric of its case. */
class ProgramsTest {
  private static final Map<String, List<String>> SMALL =
      Map.of(
          "first", List.of("offcut", "1"),
          "finalization", List.of("jdk-cleaner", "100"),
          "live_3m", List.of("offcut", "1000"),
          "forgotten_1m", List.of("offcut-cleaner", "1000"),
          "burst_drain_1m", List.of("artemis", "10000", "0"),
          "trace_git_memory", List.of("offcut-confined", "git", "1", "1"),
          "netty_burst", List.of("offcut-netty", "100", "8192", "0"));

  static Stream<Case> cases() {
    return Suites.KNOWN.stream()
        .flatMap(suite -> suite.cases(true).stream())
        .filter(of -> SMALL.containsKey(of.name()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_small_reportsAllMetrics(Case of) throws Exception {
    ChildRun first = of.runs().getFirst();
    List<String> jvm = new ArrayList<>(first.jvm());
    jvm.add("-XX:TieredStopAtLevel=1");
    ChildRun small =
        ChildRun.program("small", first.main(), SMALL.getOrDefault(of.name(), List.of()).toArray())
            .jvm(jvm);
    List<Figure> figures = new ChildJvm().run(first.isWhole() ? small.whole() : small);
    assertThat(figures).extracting(Figure::metric).containsAll(of.metrics());
    assertThat(figures).allMatch(figure -> Double.isFinite(figure.value()));
  }
}
