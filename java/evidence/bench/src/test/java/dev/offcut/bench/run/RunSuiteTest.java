package dev.offcut.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite.Better;
import dev.offcut.bench.run.RunSuite.App;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunSuiteTest {
  private final RunSuite suite = new RunSuite(Path.of("offcut.tar.gz"));

  @Test
  void cases_names_areThoseOfTheDesign() {
    assertThat(suite.cases(false))
        .extracting(Case::name)
        .containsExactly(
            "oshi",
            "lucene",
            "netty",
            "netty_unpooled",
            "h2",
            "rmi",
            "lucene_tools",
            "netty_unpooled_tools",
            "h2_tools",
            "start",
            "arenas",
            "words")
        .isEqualTo(suite.cases(true).stream().map(Case::name).toList());
  }

  @Test
  void programs_full_haveTheLevelsWithABar() {
    assertThat(programs(false))
        .filteredOn(of -> !of.name().endsWith(RunSuite.TOOLS))
        .hasSize(App.ALL.size())
        .allSatisfy(
            of -> {
              assertThat(of.rounds()).isEqualTo(Case.ROUNDS);
              assertThat(of.runs())
                  .extracting(ChildRun::impl)
                  .containsExactly("alone", "agent-sample", "agent-count");
            });
  }

  @Test
  void tools_full_beginWithMoreOfOurs_inFewerRounds() {
    assertThat(programs(false))
        .filteredOn(of -> of.name().endsWith(RunSuite.TOOLS))
        .hasSize(App.UNDER_TOOLS.size())
        .allSatisfy(
            of -> {
              assertThat(of.rounds()).isEqualTo(2);
              List<String> impls = of.runs().stream().map(ChildRun::impl).toList();
              assertThat(impls)
                  .startsWith(
                      "alone", "agent-sample", "run-sample", "run-count", "agent-full", "nmt");
              assertThat(impls.subList(5, impls.size())).allMatch(suite::isPeer);
            });
  }

  @Test
  void programs_withoutABar_doHalfOfTheWork() {
    for (App app : App.ALL) {
      assertThat(work(app.name())).isEqualTo(app.times());
    }
    for (App app : App.UNDER_TOOLS) {
      assertThat(work(app.name() + RunSuite.TOOLS)).isEqualTo(app.times() / 2);
    }
  }

  private int work(String caseName) {
    return programs(false).stream()
        .filter(of -> of.name().equals(caseName))
        .flatMap(of -> of.runs().stream())
        .mapToInt(run -> Integer.parseInt(run.args().getFirst()))
        .distinct()
        .reduce((one, other) -> -1)
        .orElseThrow();
  }

  @Test
  void tools_ofNetty_areItsDetectorToo() {
    assertThat(programs(true))
        .filteredOn(of -> of.name().endsWith(RunSuite.TOOLS))
        .hasSize(App.UNDER_TOOLS.size())
        .allSatisfy(
            of -> {
              List<String> impls = of.runs().stream().map(ChildRun::impl).toList();
              assertThat(impls).startsWith("alone", "agent-sample", "run-sample", "nmt");
              assertThat(impls.contains("netty-paranoid")).isEqualTo(of.name().startsWith("netty"));
            });
  }

  @Test
  void better_boundsOfAnInterval_areNotCompared() {
    assertThat(suite.better("cpu_ratio")).isEqualTo(Better.LOWER);
    assertThat(suite.better("cpu_ratio_low")).isEqualTo(Better.NEITHER);
    assertThat(suite.better("cpu_ratio_high")).isEqualTo(Better.NEITHER);
  }

  @Test
  void start_hasARowForEachThingThatIsAdded() {
    assertThat(ofName(RunSuite.START).runs())
        .extracting(ChildRun::impl)
        .containsExactly("alone", "idle-agent", "agent-off", "agent-sample", "run-sample");
  }

  private Case ofName(String name) {
    return suite.cases(true).stream()
        .filter(of -> of.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void words_areThoseOfTheArchive_noneWithoutOne() {
    assertThat(ofName(RunSuite.WORDS).runs())
        .extracting(ChildRun::impl)
        .containsExactly("alone", "offcut-help", "offcut-ps", "offcut-run");
    RunSuite without = new RunSuite(null);
    assertThat(without.cases(true))
        .extracting(Case::name)
        .contains(RunSuite.ARENAS)
        .doesNotContain(RunSuite.WORDS);
    assertThat(without.leftOut()).anyMatch(left -> left.caseName().equals(RunSuite.WORDS));
  }

  @Test
  void arenas_areComparedWithObjects() {
    assertThat(ofName(RunSuite.ARENAS).runs().getFirst().jvmArgs())
        .containsExactly("-XX:-DoEscapeAnalysis");
    assertThat(ofName(RunSuite.ARENAS).derived())
        .extracting(Case.Derived::baseline)
        .containsExactly(RunSuite.OBJECTS);
  }

  private List<Case> programs(boolean quick) {
    List<String> others = List.of(RunSuite.START, RunSuite.ARENAS, RunSuite.WORDS);
    return suite.cases(quick).stream().filter(of -> !others.contains(of.name())).toList();
  }

  @Test
  void runs_differ_byTheAgentOrTheToolAlone() {
    List<Case> all = new ArrayList<>(programs(false));
    all.add(ofName(RunSuite.START));
    for (Case of : all) {
      ChildRun alone = of.runs().getFirst();
      for (ChildRun run : of.runs().subList(1, of.runs().size())) {
        assertThat(run.args()).isEqualTo(alone.args());
        assertThat(run.classPath()).isEqualTo(alone.classPath());
        if (suite.isPeer(run.impl())) {
          assertThat(run.jvmArgs().size() - alone.jvmArgs().size() + run.environment().size())
              .as(run.impl())
              .isPositive();
          continue;
        }
        assertThat(run.jvmArgs())
            .hasSize(alone.jvmArgs().size() + 1)
            .endsWith(alone.jvmArgs().toArray(String[]::new));
        if (run.impl().equals(RunSuite.IDLE)) {
          continue;
        }
        String level = run.impl().substring(run.impl().indexOf('-') + 1);
        assertThat(run.jvmArgs().getFirst()).startsWith("-javaagent:").contains("=level=" + level);
        assertThat(run.jvmArgs().getFirst().contains(",record="))
            .as(run.impl())
            .isEqualTo(run.impl().startsWith(RunSuite.RUN));
      }
    }
  }

  @Test
  void bars_areOfTwoLevelsOfEachProgram_ofTheStart_andOfTheCommand() {
    assertThat(suite.bars()).hasSize(2 * App.ALL.size() + 5);
  }

  @Test
  void isPeer_theProgramAlone_isNot() {
    assertThat(suite.isPeer(RunSuite.ALONE)).isFalse();
    assertThat(suite.isPeer(RunSuite.IDLE)).isFalse();
    assertThat(suite.isOurs(RunSuite.IDLE)).isFalse();
    assertThat(suite.isOurs("run-full")).isTrue();
  }
}
