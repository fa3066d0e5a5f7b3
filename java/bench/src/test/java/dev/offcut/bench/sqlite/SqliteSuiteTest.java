package dev.offcut.bench.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.ChildRunner;
import dev.offcut.bench.Jdk;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SqliteSuiteTest {
  private final SqliteSuite suite = new SqliteSuite();

  @Test
  void rows_nameTheirSqlite() {
    for (Case of : suite.cases(false)) {
      assertThat(of.runs()).extracting(ChildRun::impl).filteredOn(suite::isOurs).hasSize(1);
      for (ChildRun run : of.runs()) {
        assertThat(suite.version(run.impl(), Jdk.OWN))
            .containsPattern("\\(SQLite 3\\.\\d+\\.\\d+\\)");
      }
    }
    assertThat(suite.bars()).hasSize(6);
  }

  @Test
  void peerOfTheSameSqlite_isInFrontOfTheNewest() {
    assertThat(suite.cases(true))
        .flatMap(Case::runs)
        .filteredOn(run -> run.impl().endsWith("3.40"))
        .isNotEmpty()
        .allMatch(
            run -> String.valueOf(run.classPath()).contains("peers/sqlite-jdbc-3.40.1.0.jar:"));
  }

  static Stream<ChildRun> runs() {
    return new SqliteSuite()
        .cases(true).stream()
            .flatMap(of -> of.runs().stream())
            .filter(run -> !run.impl().endsWith("3.40")); // its jar comes with the package
  }

  @ParameterizedTest
  @MethodSource("runs")
  void child_findsItsRows(ChildRun run) throws Exception {
    assertThat(ChildRunner.figures(run)).containsKeys("cpu_ns_per_op", "alloc_bytes_per_op");
  }
}
