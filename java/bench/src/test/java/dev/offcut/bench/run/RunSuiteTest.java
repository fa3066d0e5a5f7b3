package dev.offcut.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.Run;
import org.junit.jupiter.api.Test;

class RunSuiteTest {
  private final RunSuite suite = new RunSuite();

  @Test
  void cases_names_areThoseOfTheDesign() {
    assertThat(suite.cases(false))
        .extracting(Case::name)
        .containsExactly("oshi", "lucene", "netty", "netty_unpooled", "h2", "rmi")
        .isEqualTo(suite.cases(true).stream().map(Case::name).toList());
  }

  @Test
  void cases_full_haveEveryLevelAndTwentyRounds() {
    assertThat(suite.cases(false))
        .allSatisfy(
            of -> {
              assertThat(of.rounds()).isEqualTo(20);
              assertThat(of.runs())
                  .extracting(Run::impl)
                  .containsExactly("alone", "offcut-sample", "offcut-count", "offcut-full");
            });
  }

  @Test
  void runs_differ_byTheAgentAlone() {
    for (Case of : suite.cases(true)) {
      Run alone = of.runs().getFirst();
      for (Run run : of.runs().subList(1, of.runs().size())) {
        assertThat(run.args()).isEqualTo(alone.args());
        assertThat(run.classPath()).isEqualTo(alone.classPath());
        assertThat(run.jvmArgs())
            .hasSize(alone.jvmArgs().size() + 1)
            .endsWith(alone.jvmArgs().toArray(String[]::new));
        assertThat(run.jvmArgs().getFirst())
            .startsWith("-javaagent:")
            .contains("level=" + run.impl().substring(RunSuite.OURS.length()), ",record=");
      }
    }
  }

  @Test
  void bars_areOfTwoLevelsOfEachProgram() {
    assertThat(suite.bars()).hasSize(2 * App.ALL.size());
  }

  @Test
  void isPeer_theProgramAlone_isNot() {
    assertThat(suite.isPeer(RunSuite.ALONE)).isFalse();
    assertThat(suite.isOurs("offcut-full")).isTrue();
  }
}
