package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SuitesTest {
  static Stream<Suite> suites() {
    return Suites.KNOWN.stream();
  }

  /**
   * A bar without its rows would never be judged. What needs a build or a library may be absent.
   */
  @ParameterizedTest
  @MethodSource("suites")
  void bars_areAboutRowsOfTheCases(Suite suite) {
    List<Case> cases = suite.cases(false);
    for (Bar bar : suite.bars()) {
      if (List.of("all", "words").contains(bar.ours().caseName())) {
        continue; // sums; and what needs the archive
      }
      Case of =
          cases.stream()
              .filter(one -> one.name().equals(bar.ours().caseName()))
              .findFirst()
              .orElseThrow();
      assertThat(of.metrics()).as(bar.text()).contains(bar.ours().metric());
      List<String> impls =
          of.runs().stream()
              .filter(run -> run.threads() == bar.ours().threads())
              .map(ChildRun::impl)
              .toList();
      assertThat(impls)
          .as(bar.text())
          .containsAnyElementsOf(
              Stream.concat(Stream.of(bar.ours().impl()), bar.peers().stream()).toList());
    }
  }

  @ParameterizedTest
  @MethodSource("suites")
  void cases_timedOnes_haveTheRoundsThatABarNeeds(Suite suite) {
    assertThat(suite.cases(true)).allMatch(of -> of.rounds() == 1);
    assertThat(suite.cases(false)).extracting(Case::name).doesNotHaveDuplicates();
    for (Bar bar : suite.bars()) {
      if (!bar.peers().isEmpty()) {
        assertThat(suite.cases(false))
            .filteredOn(of -> of.name().equals(bar.ours().caseName()))
            .allMatch(of -> of.rounds() >= 6);
      }
    }
  }

  @Test
  void version_everyImplementation_isKnown() {
    for (Suite suite : Suites.KNOWN) {
      for (Case of : suite.cases(false)) {
        assertThat(of.runs()).allMatch(run -> !suite.version(run.impl()).isEmpty());
      }
    }
  }
}
