package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.objectstream.ObjectstreamSuite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CaseTest {
  private static final Jdk OLD = new Jdk(Path.of("/old"), "17.0.1+2");
  private static final Jdk NEW = new Jdk(Path.of("/new"), "28-ea+8-Sample");

  private static final Case OF =
      TestSuite.caseOf(
              "one",
              3,
              TestSuite.run("ours", 0)
                  .jvm(List.of("-Xmx1g", "--sun-misc-unsafe-memory-access=allow")),
              TestSuite.run("peer", 0),
              TestSuite.run("more", 0),
              TestSuite.run("ours", 0, "Z"),
              TestSuite.run("ours", 0).threads(2))
          .headline(17, "cpu_ns_per_op", "ours", "peer");

  private static List<String> labels(Case of) {
    return of.runs().stream().map(ChildRun::label).toList();
  }

  @Test
  void on_otherJdks_hasTheHeadlineOnThem_andAllOnOurs() {
    assertThat(labels(OF.on(List.of(OLD, NEW))))
        .startsWith(labels(OF).toArray(String[]::new))
        .endsWith(
            "java 17.0.1+2, G1, 1 thread, ours",
            "java 17.0.1+2, G1, 1 thread, peer",
            "java 28-ea+8-Sample, G1, 1 thread, ours",
            "java 28-ea+8-Sample, G1, 1 thread, peer")
        .hasSize(9);
  }

  @Test
  void on_anOlderJdk_leavesOutTheOptionThatItDoesNotKnow() {
    assertThat(OF.on(List.of(OLD)).runs().get(5).jvmArgs()).containsExactly("-Xmx1g");
    assertThat(OF.on(List.of(NEW)).runs().get(5).jvmArgs()).hasSize(2);
  }

  @Test
  void on_aJdkThatIsTooOldOrIsThere_hasNothingMore() {
    Case newer = OF.headline(25, "cpu_ns_per_op", "ours", "peer");
    assertThat(labels(newer.on(List.of(OLD)))).isEqualTo(labels(OF));
    Case there = OF.on(List.of(OLD));
    assertThat(labels(there.on(List.of(OLD)))).isEqualTo(labels(there));
    assertThat(labels(OF.on(List.of(Jdk.OWN)))).isEqualTo(labels(OF));
    Case none = TestSuite.caseOf("one", 3, TestSuite.run("ours", 0));
    assertThat(labels(none.on(List.of(OLD)))).isEqualTo(labels(none));
  }

  /** A guard is made of a JDK's own classes, which may be too new to be read here. */
  @Test
  void on_aJdkWhoseClassesCannotBeRead_needsNoneOfThemForItsHeadline() throws IOException {
    ObjectstreamSuite suite = new ObjectstreamSuite();
    List<Case> cases =
        suite.cases(true).stream()
            .filter(of -> of.headline() != null)
            .map(of -> of.on(List.of(NEW)))
            .toList();
    assertThat(suite.prepare(cases)).isEmpty();
  }

  @Test
  void headlineAlone_hasNothingElse() {
    assertThat(labels(OF.headlineAlone()))
        .containsExactly("G1, 1 thread, ours", "G1, 1 thread, peer");
  }

  /** A headline that names what is not measured would be an empty line of the report. */
  @Test
  void headlines_ofAllSuites_areRowsOfTheirCases() {
    for (Suite suite : Suites.known()) {
      for (Case of : headlines(suite)) {
        Case.Headline headline = Objects.requireNonNull(of.headline());
        assertThat(of.metrics()).contains(headline.metric());
        assertThat(headline.impls()).anyMatch(suite::isOurs).hasSizeGreaterThan(1);
        List<String> impls = of.headlineAlone().runs().stream().map(ChildRun::impl).toList();
        // Without the agent's jar its rows are left out.
        assertThat(headline.impls()).containsAll(impls);
        assertThat(impls).isNotEmpty();
      }
    }
    assertThat(Suites.known().stream().filter(one -> !headlines(one).isEmpty()))
        .extracting(Suite::name)
        .containsExactly("handle", "longmap", "memory", "objectstream", "replay", "run");
  }

  private static List<Case> headlines(Suite suite) {
    return suite.cases(false).stream().filter(of -> of.headline() != null).toList();
  }

  @Test
  void feature_isTheFirstNumberOfTheVersion() {
    assertThat(NEW.feature()).isEqualTo(28);
    assertThat(OLD.feature()).isEqualTo(17);
  }
}
