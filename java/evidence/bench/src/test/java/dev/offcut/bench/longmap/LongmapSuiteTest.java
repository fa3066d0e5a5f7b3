package dev.offcut.bench.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite.Better;
import dev.offcut.bench.Suite.LeftOut;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LongmapSuiteTest {
  private static final Path AGENT = Path.of("agent.jar");
  private static final List<String> EVERYONE =
      List.of(
          "offcut",
          "jdk-chm",
          "artemis",
          "bookkeeper",
          "jctools",
          "fastutil-sync",
          "fastutil-striped",
          "hppc-sync",
          "hppc-striped",
          "agrona-sync");

  private final LongmapSuite suite = new LongmapSuite();

  private static List<Case> all(boolean quick) {
    return new LongmapCases(quick, AGENT, true).all();
  }

  private static Case named(String name, List<Case> of) {
    return of.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> rows(Case of) {
    return of.runs().stream().map(run -> run.impl() + run.gc() + run.threads()).toList();
  }

  @Test
  void cases_names_areThoseOfTheDesign() {
    assertThat(all(false))
        .extracting(Case::name)
        .containsExactly(
            "put_remove_10k_lifo",
            "put_remove_10k_fifo",
            "put_remove_1m_lifo",
            "put_remove_1m_fifo",
            "mixed_80_10_10",
            "add_remove",
            "fifo_1k",
            "burst_drain_1m",
            "grow_1m",
            "jna_memory");
  }

  @Test
  void cases_timed_haveEveryImplementationOnOneAndTwoThreads() {
    for (String name : List.of("put_remove_10k_fifo", "mixed_80_10_10")) {
      List<ChildRun> runs = named(name, all(false)).runs();
      int all = EVERYONE.size();
      assertThat(runs.subList(0, all)).extracting(ChildRun::impl).isEqualTo(EVERYONE);
      assertThat(runs.subList(0, all)).allMatch(run -> run.threads() == 1);
      assertThat(runs.subList(all, 2 * all)).extracting(ChildRun::impl).isEqualTo(EVERYONE);
      assertThat(runs.subList(all, 2 * all)).allMatch(run -> run.threads() == 2);
    }
  }

  @Test
  void cases_ofAMillion_haveEveryImplementationOnOneThread_andFewOnTwo() {
    for (String name : List.of("put_remove_1m_lifo", "put_remove_1m_fifo")) {
      List<ChildRun> runs = named(name, all(false)).runs();
      assertThat(runs.stream().filter(run -> run.threads() == 1))
          .extracting(ChildRun::impl)
          .isEqualTo(EVERYONE);
      assertThat(runs.stream().filter(run -> run.threads() == 2))
          .extracting(ChildRun::impl)
          .containsExactly("offcut", "jdk-chm", "artemis", "agrona-sync");
    }
  }

  @Test
  void cases_quickForm_hasTheSameRowsAsTheFullOne() {
    for (Case full : all(false)) {
      Case quick = named(full.name(), all(true));
      assertThat(quick.metrics()).isEqualTo(full.metrics());
      assertThat(rows(quick)).isEqualTo(rows(full));
      assertThat(quick.rounds()).isLessThanOrEqualTo(full.rounds());
    }
  }

  @Test
  void cases_fullForm_letsNothingWait() {
    assertThat(all(false)).flatMap(Case::runs).allMatch(run -> run.firstRound() == 0);
  }

  @Test
  void cases_quickForm_hasARoundForWhatWaits() {
    for (Case of : all(true)) {
      assertThat(of.runs()).allMatch(run -> run.firstRound() < of.rounds());
    }
  }

  @Test
  void cases_addRemove_runsUnderThreeCollectors() {
    assertThat(named("add_remove", all(false)).runs())
        .extracting(ChildRun::gc)
        .containsExactly("G1", "G1", "G1", "Z", "Z", "Z", "Shenandoah", "Shenandoah", "Shenandoah");
  }

  @Test
  void cases_withoutShenandoahAndAgent_lackTheirRowsAndSaySo() {
    List<Case> few = new LongmapCases(false, null, false).all();
    assertThat(named("add_remove", few).runs()).hasSize(6);
    assertThat(named("jna_memory", few).runs())
        .extracting(ChildRun::impl)
        .containsExactly("jna-stock");
    assertThat(LongmapSuite.leftOut(null, false))
        .extracting(LeftOut::caseName)
        .containsExactly("add_remove", "jna_memory");
    assertThat(LongmapSuite.leftOut(AGENT, true)).isEmpty();
  }

  @Test
  void cases_jnaMemory_loadsTheAgentForOursOnly() {
    List<ChildRun> runs = named("jna_memory", all(false)).runs();
    assertThat(runs).extracting(ChildRun::impl).containsExactly("jna-stock", "jna-offcut");
    assertThat(runs.getFirst().jvmArgs()).noneMatch(arg -> arg.startsWith("-javaagent"));
    assertThat(runs.getLast().jvmArgs()).contains("-javaagent:agent.jar");
  }

  @Test
  void bars_areThoseOfTheDesign() {
    assertThat(suite.bars()).hasSize(20);
  }

  @Test
  void isOursAndIsPeer_everyImplementation_isOne() {
    Set<String> impls = new TreeSet<>();
    all(false).forEach(of -> of.runs().forEach(run -> impls.add(run.impl())));
    assertThat(impls)
        .hasSize(EVERYONE.size() + 2)
        .allMatch(impl -> suite.isOurs(impl) != suite.isPeer(impl));
  }

  @Test
  void better_throughputAndGivenBack_areHigher() {
    assertThat(suite.better("ops_per_ms")).isEqualTo(Better.HIGHER);
    assertThat(suite.better("given_back_percent")).isEqualTo(Better.HIGHER);
    assertThat(suite.better("retained_bytes")).isEqualTo(Better.LOWER);
    assertThat(suite.better("empty_loop_over_200us")).isEqualTo(Better.NEITHER);
    assertThat(suite.better("alloc_mb_per_s")).isEqualTo(Better.NEITHER); // grows with the work
    assertThat(suite.better("gc_count")).isEqualTo(Better.NEITHER);
    assertThat(suite.better("alloc_bytes_per_op")).isEqualTo(Better.LOWER);
  }
}
