package dev.offcut.bench.objectstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite.Better;
import dev.offcut.bench.Suite.LeftOut;
import dev.offcut.bench.objectstream.Profile.Sampling;
import dev.offcut.bench.objectstream.Programs.OlderJdk;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObjectstreamSuiteTest {
  private static final Path AGENT = Path.of("agent.jar");
  private static final Jdk OLDER = new Jdk(Path.of("older"), "17.0.15+6");
  private static final Sampling SAMPLING = new Sampling("ctimer", "");
  private static final List<String> EVERYONE =
      List.of("stock", "offcut-agent", "guard-8246633", "guard-8246633-loader", "fixed-loader");

  private static final List<String> JBOSS = List.of("jboss-river", "jboss-serial");

  private final ObjectstreamSuite suite = new ObjectstreamSuite();

  private static List<Case> all(boolean quick, @Nullable Path agent) {
    return new ObjectstreamCases(quick, new Programs(), List.of(Jdk.OWN, OLDER), agent, "ctimer")
        .all();
  }

  private static Case named(String name, List<Case> of) {
    return of.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> rows(Case of) {
    return of.runs().stream().map(run -> run.impl() + run.jdk().version()).toList();
  }

  private static ChildRun run(String caseName, String impl) {
    return named(caseName, all(false, AGENT)).runs().stream()
        .filter(run -> run.impl().equals(impl))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void cases_names_areThoseOfTheDesign() {
    assertThat(all(false, AGENT))
        .extracting(Case::name)
        .containsExactly(
            "flat_10",
            "flat_100",
            "nest5_100",
            "nest20_100",
            "classes1000_nest5",
            "rmi_roundtrip",
            "list_1000_integers",
            "startup",
            "appcds_1000",
            "walk_flat_100",
            "walk_nest1_100",
            "walk_nest5_100",
            "walk_nest20_100");
  }

  @Test
  void cases_profiled_areOfOurOwnJdkBeforeAndAfter() {
    List<Case> profiled = all(false, AGENT).stream().filter(ObjectstreamCases::isProfiled).toList();
    assertThat(profiled).hasSize(4);
    for (Case of : profiled) {
      assertThat(of.runs()).extracting(ChildRun::impl).containsExactly("stock", "offcut-agent");
      assertThat(of.runs()).allMatch(run -> run.jdk().equals(Jdk.OWN));
    }
  }

  @Test
  void leftOut_nothingToSampleBy_isSaidOfTheProfilesAlone() {
    Sampling none = new Sampling(null, "no clock");
    assertThat(suite.leftOut(AGENT, new OlderJdk(OLDER, ""), none))
        .hasSize(4)
        .allMatch(row -> row.caseName().startsWith("walk_") && row.what().equals("no clock"));
  }

  @Test
  void sampling_here_hasAnEventOrSaysWhyNot() {
    Sampling here = Sampling.find();
    assertThat(here.event() == null).isEqualTo(!here.why().isEmpty());
  }

  @Test
  void cases_graphs_haveEveryImplementationOnBothJdksOurOwnFirst() {
    for (String name : ObjectstreamCases.GRAPHS) {
      List<ChildRun> runs = named(name, all(false, AGENT)).runs();
      assertThat(runs.subList(0, 5)).extracting(ChildRun::impl).isEqualTo(EVERYONE);
      assertThat(runs.subList(0, 5)).allMatch(run -> run.jdk().equals(Jdk.OWN));
      assertThat(runs.subList(5, 10)).extracting(ChildRun::impl).isEqualTo(EVERYONE);
      assertThat(runs.subList(5, 10)).allMatch(run -> run.jdk().equals(OLDER));
      assertThat(runs.subList(10, 12)).extracting(ChildRun::impl).isEqualTo(JBOSS);
      assertThat(runs.subList(10, 12)).allMatch(run -> run.jdk().equals(Jdk.OWN));
      assertThat(runs).hasSize(12);
    }
  }

  @Test
  void cases_rmi_hasNoStreamWrittenByHand() {
    assertThat(named("rmi_roundtrip", all(false, AGENT)).runs())
        .hasSize(8)
        .noneMatch(run -> run.impl().equals("fixed-loader"));
  }

  @Test
  void cases_everyImplementation_getsWhatItsRowSays() {
    assertThat(run("nest5_100", "offcut-agent").jvmArgs()).contains("-javaagent:agent.jar");
    assertThat(run("startup", "idle-agent").jvmArgs())
        .anyMatch(arg -> arg.startsWith("-javaagent:") && arg.endsWith("idle-agent.jar"));
    for (String guard : List.of("guard-8246633", "guard-8246633-loader")) {
      assertThat(run("nest5_100", guard).jvmArgs())
          .anyMatch(arg -> arg.startsWith("--patch-module=java.base="))
          .noneMatch(arg -> arg.startsWith("-javaagent:"));
    }
    for (String plain : List.of("stock", "fixed-loader")) {
      assertThat(run("nest5_100", plain).jvmArgs())
          .noneMatch(arg -> arg.startsWith("-javaagent:") || arg.startsWith("--patch-module"));
    }
  }

  @Test
  void cases_quickForm_hasTheSameRowsAsTheFullOne() {
    for (Case full : all(false, AGENT)) {
      Case quick = named(full.name(), all(true, AGENT));
      assertThat(quick.metrics()).isEqualTo(full.metrics());
      assertThat(rows(quick)).isEqualTo(rows(full));
      assertThat(quick.runs()).allMatch(run -> run.firstRound() < quick.rounds());
    }
  }

  @Test
  void cases_fullForm_letsNothingWait() {
    assertThat(all(false, AGENT)).flatMap(Case::runs).allMatch(run -> run.firstRound() == 0);
  }

  @Test
  void cases_withoutTheAgent_lackItsRowsAndSaySo() {
    assertThat(all(false, null))
        .flatMap(Case::runs)
        .noneMatch(run -> run.impl().equals("offcut-agent"));
    assertThat(suite.leftOut(null, new OlderJdk(OLDER, ""), SAMPLING))
        .extracting(LeftOut::caseName)
        .hasSize(13)
        .contains("flat_10", "startup");
    assertThat(suite.leftOut(AGENT, new OlderJdk(OLDER, ""), SAMPLING)).isEmpty();
  }

  @Test
  void leftOut_withoutJdk17_saysWhereItCouldBe() {
    assertThat(suite.leftOut(AGENT, OlderJdk.in(""), SAMPLING))
        .hasSize(9)
        .allMatch(row -> row.what().contains("OFFCUT_JAVA17_HOME"));
    assertThat(suite.leftOut(AGENT, OlderJdk.in("no-such-folder"), SAMPLING))
        .hasSize(9)
        .allMatch(row -> row.what().contains("no-such-folder"));
  }

  @Test
  void older_ofAJdksFolder_isThatJdk() {
    assertThat(OlderJdk.in(Jdk.OWN.home().toString()).jdk()).isEqualTo(Jdk.OWN);
  }

  @Test
  void bars_areThoseOfTheDesign() {
    assertThat(suite.bars()).hasSize(5 + 6 + 6 + 3);
  }

  @Test
  void isOursAndIsPeer_baselineAndLimit_areNeither() {
    assertThat(EVERYONE).filteredOn(suite::isOurs).containsExactly("offcut-agent");
    assertThat(EVERYONE)
        .filteredOn(suite::isPeer)
        .containsExactly("stock", "guard-8246633", "guard-8246633-loader");
    assertThat(JBOSS).allMatch(suite::isPeer).noneMatch(suite::isOurs);
    assertThat(suite.isPeer("idle-agent")).isFalse();
  }

  @Test
  void better_fromTheArchive_isHigher() {
    assertThat(suite.better("classes_from_archive")).isEqualTo(Better.HIGHER);
    assertThat(suite.better("cpu_us_per_op")).isEqualTo(Better.LOWER);
    assertThat(suite.better("samples")).isEqualTo(Better.NEITHER);
    assertThat(suite.better("appcds_over_idle_cpu_ms")).isEqualTo(Better.NEITHER);
  }

  @Test
  void version_ofTheJdksOwn_isThatOfTheRow() {
    assertThat(suite.version("stock", OLDER)).isEqualTo("17.0.15+6");
    assertThat(suite.version("guard-8246633", OLDER)).isEqualTo("17.0.15+6");
  }

  @Test
  void version_jboss_isThatOfItsJar() {
    assertThat(JBOSS).allMatch(impl -> suite.version(impl, Jdk.OWN).equals("2.3.0"));
  }
}
