package dev.offcut.bench.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite.Better;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandleSuiteTest {
  private final HandleSuite suite = new HandleSuite();

  private Case named(String name, boolean quick) {
    return suite.cases(quick).stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> rows(Case of) {
    return of.runs().stream().map(run -> run.impl() + run.gc() + run.threads()).toList();
  }

  @Test
  void cases_openClose_hasEveryImplementationUnderBothCollectors() {
    for (boolean quick : new boolean[] {false, true}) {
      List<ChildRun> runs = named("open_close", quick).runs();
      assertThat(runs).hasSize(8 * 3); // two threads under the first collector alone
      assertThat(runs.getFirst().gc()).isEqualTo("G1");
      assertThat(runs)
          .extracting(ChildRun::impl)
          .contains("plain", "plain-cas", "offcut", "offcut-cleaner")
          .contains("jdk-cleaner", "jna-cleaner", "javacpp-pointer", "jdk-finalize");
    }
  }

  @Test
  void cases_quickForm_hasTheSameRowsAsTheFullOne() {
    for (Case full : suite.cases(false)) {
      Case quick = named(full.name(), true);
      assertThat(quick.metrics()).isEqualTo(full.metrics());
      assertThat(rows(quick)).isEqualTo(rows(full));
    }
  }

  @Test
  void cases_fullForm_letsNothingWait() {
    assertThat(suite.cases(false)).flatMap(Case::runs).allMatch(run -> run.firstRound() == 0);
  }

  @Test
  void cases_cleaner_areOfEachHeapAndCollector() {
    for (String heap : List.of("64m", "256m", "8g")) {
      Case of = named("cleaner_" + heap, false);
      assertThat(of.runs()).allMatch(run -> run.jvmArgs().contains("-Xmx" + heap));
      assertThat(of.runs())
          .extracting(ChildRun::gc)
          .contains("G1", "Serial", "Parallel", "Z")
          .hasSizeGreaterThanOrEqualTo(8);
    }
  }

  @Test
  void cases_registerOom_injectsAThousandErrors() {
    assertThat(named("register_oom", false).runs())
        .extracting(ChildRun::impl)
        .containsExactly("jdk-cleaner", "jdk-cleaner-guarded", "offcut");
    Case of = named("register_oom", false);
    assertThat(of.runs())
        .allMatch(run -> of.rounds() * Integer.parseInt(run.args().get(1)) >= 1000);
  }

  @Test
  void bars_areThoseOfTheDesign() {
    assertThat(suite.bars()).hasSize(14 + 3 * 2);
  }

  @Test
  void better_throughputAndReclaimed_areHigher() {
    assertThat(suite.better("wall_ops_per_ms")).isEqualTo(Better.HIGHER);
    assertThat(suite.better("reclaimed")).isEqualTo(Better.HIGHER);
    assertThat(suite.better("reclaim_ms")).isEqualTo(Better.LOWER);
    assertThat(suite.better("errors_injected")).isEqualTo(Better.NEITHER);
  }

  @Test
  void version_jdkPeer_isTheRuntimes() {
    assertThat(suite.version("jdk-cleaner", Jdk.OWN)).isEqualTo(Runtime.version().toString());
    assertThat(suite.version("jna-cleaner", Jdk.OWN)).isEqualTo("5.19.1");
    assertThat(suite.version("javacpp-pointer", Jdk.OWN)).isEqualTo("1.5.12");
  }
}
