package dev.offcut.bench.contention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.ChildRunner;
import dev.offcut.bench.Jdk;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContentionSuiteTest {
  private final ContentionSuite suite = new ContentionSuite(List.of(1, 3));

  @Test
  void threads_byDefault_arePowersOfTwoUpToEightTimesTheCpus() {
    assertThat(ContentionSuite.defaultThreads(1)).containsExactly(1, 2, 4, 8);
    assertThat(ContentionSuite.defaultThreads(2)).containsExactly(1, 2, 4, 8, 16);
    assertThat(ContentionSuite.defaultThreads(128)).containsExactly(1, 2, 4, 8, 16, 32, 64);
  }

  @Test
  void cases_haveARowOfEachImplementationForEachNumberOfThreads() {
    for (Case of : suite.cases(false)) {
      List<String> impls = of.runs().stream().map(ChildRun::impl).distinct().toList();
      assertThat(of.runs()).hasSize(2 * impls.size());
      assertThat(of.runs()).extracting(ChildRun::threads).containsOnly(1, 3);
      assertThat(impls).filteredOn(suite::isOurs).hasSize(1);
      assertThat(impls).allSatisfy(impl -> assertThat(suite.version(impl, Jdk.OWN)).isNotEmpty());
    }
    assertThat(suite.cases(false))
        .extracting(Case::name)
        .containsAll(List.of("handle", "map", "block", "chunk"));
  }

  static Stream<ChildRun> runs() {
    return new ContentionSuite(List.of(2)).cases(true).stream().flatMap(of -> of.runs().stream());
  }

  @ParameterizedTest
  @MethodSource("runs")
  void child_measuresItsThroughput(ChildRun run) throws Exception {
    assertThat(ChildRunner.figures(run).get(ContentionSuite.THROUGHPUT)).isPositive();
  }
}
