package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.ChildRunner;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.objectstream.Profile.Sampling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each child in small, without the agent: it ends well, and reports every metric of its case. */
class ObjectstreamChildrenTest {
  private static final Programs PROGRAMS = new Programs();
  private static final ObjectstreamCases CASES =
      new ObjectstreamCases(true, PROGRAMS, List.of(Jdk.OWN), null, Sampling.find().event());

  @BeforeAll
  static void prepare() throws Exception {
    PROGRAMS.create();
    PROGRAMS.createGuard(Jdk.OWN);
    ChildRunner.figures(CASES.archiving(Jdk.OWN));
  }

  static Stream<Case> cases() {
    return CASES.all().stream();
  }

  static Stream<ChildRun> implementations() {
    return named("nest5_100").runs().stream();
  }

  private static Case named(String name) {
    return cases().filter(of -> of.name().equals(name)).findFirst().orElseThrow();
  }

  /** What takes a time. */
  private static final List<String> TIMED =
      List.of(
          ReadGraph.class.getName(), RmiRoundTrip.class.getName(), ProfiledRead.class.getName());

  /** Of what takes a time the shortest. */
  private static ChildRun small(ChildRun run) {
    if (!TIMED.contains(run.main())) {
      return run;
    }
    List<String> args = new ArrayList<>(run.args());
    args.set(args.size() - 2, "0.01");
    // A sample each millisecond of CPU: enough that there are some on a busy machine.
    args.set(args.size() - 1, run.main().endsWith("ProfiledRead") ? "0.5" : "0.01");
    return ChildRun.of(run.impl(), run.gc(), run.main(), args.toArray())
        .jvm(run.jvmArgs())
        .classPath(Objects.requireNonNull(run.classPath()));
  }

  /** Where nothing can be profiled, those cases have no runs. */
  @ParameterizedTest
  @MethodSource("cases")
  void run_firstOfEachCase_reportsItsMetrics(Case of) throws Exception {
    if (of.runs().isEmpty()) {
      assertThat(Sampling.find().event()).isNull();
      return;
    }
    List<String> measured = new ArrayList<>(of.metrics());
    of.derived().forEach(rule -> measured.remove(rule.metric()));
    List<String> reported = new ArrayList<>();
    for (ChildRun run : of.runs().stream().filter(r -> r.impl().equals("stock")).toList()) {
      reported.addAll(ChildRunner.metrics(small(run)));
    }
    assertThat(reported).containsAll(measured);
  }

  @ParameterizedTest
  @MethodSource("implementations")
  void run_everyImplementation_isWhatItsRowSays(ChildRun run) throws Exception {
    assertThat(ChildRunner.metrics(small(run))).contains("cpu_us_per_op");
  }

  @Test
  void run_guardInAJvmWithout_fails() {
    ChildRun guard =
        implementations()
            .filter(run -> run.impl().equals("guard-8246633"))
            .findFirst()
            .orElseThrow();
    assertThatExceptionOfType(Exception.class)
        .isThrownBy(() -> ChildRunner.metrics(small(guard.jvm(List.of()))))
        .withMessageContaining("but the guard: NONE");
  }

  @Test
  void run_programWithArchive_loadsEveryClassFromIt() throws Exception {
    ChildRun stock = named("appcds_1000").runs().getFirst();
    assertThat(ChildRunner.figures(stock)).containsEntry("classes_from_archive", 1000.0);
  }

  @Test
  void run_programWithoutArchive_loadsNoneFromIt() throws Exception {
    ChildRun stock = named("appcds_1000").runs().getFirst();
    List<String> without =
        stock.jvmArgs().stream().filter(arg -> !arg.startsWith("-XX:SharedArchive")).toList();
    assertThat(ChildRunner.figures(stock.jvm(without))).containsEntry("classes_from_archive", 0.0);
  }

  @Test
  void prepare_casesWithoutAnArchive_runNothingBefore() throws IOException {
    assertThat(prepared("flat_10")).isEmpty();
    assertThat(prepared("appcds_1000")).extracting(ChildRun::jdk).containsExactly(Jdk.OWN);
  }

  private static List<ChildRun> prepared(String caseName) throws IOException {
    ObjectstreamSuite suite = new ObjectstreamSuite();
    return suite.prepare(
        suite.cases(true).stream().filter(of -> of.name().equals(caseName)).toList());
  }
}
