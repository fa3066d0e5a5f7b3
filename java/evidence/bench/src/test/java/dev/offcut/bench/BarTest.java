package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.caseOf;
import static dev.offcut.bench.TestSuite.row;
import static dev.offcut.bench.TestSuite.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BarTest {
  private static final Bar.Place CPU = new Bar.Place("one", "cpu_ns_per_op", "G1", 1);

  private static Rows rows(double ours, double peer) {
    return new Rows(
        List.of(row("ours", "cpu_ns_per_op", ours), row("peer", "cpu_ns_per_op", peer)));
  }

  @Test
  void judge_ratioBelowTheLimit_isMet() {
    Bar.Verdict verdict = CPU.atMost(0.45, "ours", "peer").judge(rows(9, 20));
    assertThat(verdict.measured()).isEqualTo(0.45);
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.word()).isEqualTo("met");
    assertThat(verdict.bar()).isEqualTo("one, G1, 1 thread, cpu_ns_per_op: ours / peer ≤ 0.45");
  }

  @Test
  void judge_ratioAboveTheLimit_isNotMet() {
    Bar.Verdict verdict = CPU.atMost(0.45, "ours", "peer").judge(rows(10, 20));
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.word()).isEqualTo("NOT met");
  }

  @Test
  void judge_aimReached_saysSo() {
    Bar bar = CPU.atMost(0.45, 0.33, "ours", "peer");
    assertThat(bar.judge(rows(6, 20)).word()).isEqualTo("met, aim too");
    assertThat(bar.judge(rows(8, 20)).word()).isEqualTo("met");
    assertThat(bar.judge(rows(8, 20)).bar()).endsWith("≤ 0.45 (aim 0.33)");
  }

  @Test
  void judge_missingRow_isNotMet() {
    Rows alone = new Rows(List.of(row("ours", "cpu_ns_per_op", 1)));
    Bar.Verdict verdict = CPU.atMost(0.45, "ours", "peer").judge(alone);
    assertThat(verdict.measured()).isNull();
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.word()).startsWith("NOT met");
  }

  @Test
  void judge_exactValue_takesNoOther() {
    Bar bar = CPU.exactly(0, "ours");
    assertThat(bar.judge(rows(0, 20)).met()).isTrue();
    assertThat(bar.judge(rows(1, 20)).met()).isFalse();
    assertThat(bar.judge(rows(1, 20)).bar()).endsWith("ours = 0");
  }

  @Test
  void judge_otherCollector_isAnotherRow() {
    Bar bar = new Bar.Place("one", "cpu_ns_per_op", "Parallel", 1).atMost(1, "ours", "peer");
    assertThat(bar.judge(rows(1, 20)).measured()).isNull();
  }

  private static final int OWN = Jdk.OWN.feature();

  private static Jdk jdk(int feature) {
    return new Jdk(Path.of("jdk-" + feature), feature + ".0.1+5");
  }

  private static @Nullable String placeOn(Bar bar, Jdk... others) {
    Bar on = bar.on(List.of(others));
    return on == null ? null : on.judge(rows(1, 2)).bar();
  }

  @Test
  void on_ownJdkIsMeant_isOurs() {
    Bar bar = CPU.atMost(0.5, "ours", "peer");
    String own = "one, G1, 1 thread, cpu_ns_per_op: ours / peer ≤ 0.5";
    for (Bar meant : List.of(bar, bar.from(OWN), bar.before(OWN + 1))) {
      assertThat(placeOn(meant)).isEqualTo(own);
      assertThat(placeOn(meant, jdk(OWN - 1), jdk(OWN + 1))).isEqualTo(own);
    }
  }

  @Test
  void on_ownJdkIsNotMeant_isTheNewestThatIs() {
    Bar bar = CPU.atMost(0.5, "ours", "peer");
    Jdk[] all = {jdk(OWN - 2), jdk(OWN - 1), jdk(OWN + 2), jdk(OWN + 1)};
    assertThat(placeOn(bar.from(OWN + 1), all))
        .startsWith("one, G1, 1 thread, java " + (OWN + 2) + ".0.1+5, cpu_ns_per_op: ");
    assertThat(placeOn(bar.before(OWN), all)).contains(", java " + (OWN - 1) + ".0.1+5, ");
    assertThat(placeOn(bar.from(OWN + 3), all)).isNull();
    assertThat(bar.from(OWN + 3).jdks()).isEqualTo("JDK " + (OWN + 3) + " or newer");
    assertThat(bar.before(OWN).jdks()).isEqualTo("JDK " + (OWN - 1) + " or older");
    Bar between = bar.from(OWN - 1).before(OWN);
    assertThat(placeOn(between, all)).contains(", java " + (OWN - 1) + ".0.1+5, ");
    assertThat(placeOn(between, jdk(OWN - 2), jdk(OWN + 1))).isNull();
    assertThat(between.jdks()).isEqualTo("JDK " + (OWN - 1) + " to " + (OWN - 1));
  }

  @Test
  void on_anotherJdk_needsItsRunsAlone() {
    Jdk newer = jdk(OWN + 1);
    ChildRun ours = run("ours", 0);
    ChildRun peer = run("peer", 0);
    Case of = caseOf("one", 3, ours, peer).headline(OWN, "cpu_ns_per_op", "ours", "peer");
    Case both = of.on(List.of(newer));
    Bar bar =
        Objects.requireNonNull(CPU.atMost(0.5, "ours", "peer").from(OWN + 1).on(List.of(newer)));
    assertThat(both.runs()).hasSize(4);
    assertThat(both.runs())
        .filteredOn(run -> bar.needs(both, run))
        .hasSize(2)
        .allMatch(run -> run.jdk().equals(newer));
    assertThat(both.furtherSeconds(List.of(bar)))
        .isEqualTo(2 * (ours.estimate() + peer.estimate()));
  }

  private static Rows threePeers() {
    return new Rows(
        List.of(
            row("ours", "cpu_ns_per_op", 10),
            row("one", "cpu_ns_per_op", 20),
            row("two", "cpu_ns_per_op", 15),
            row("three", "cpu_ns_per_op", 40)));
  }

  @Test
  void judge_bestOfPeers_isTheLeast() {
    Bar.Verdict verdict =
        CPU.atMostBest(0.7, "ours", List.of("one", "two", "three")).judge(threePeers());
    assertThat(verdict.measured()).isEqualTo(10.0 / 15);
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.bar()).endsWith("ours / best of 3 ≤ 0.7");
  }

  @Test
  void judge_bestOfPeersOfWhichOneIsMissing_isNotMet() {
    Bar.Verdict verdict = CPU.atMostBest(2, "ours", List.of("one", "four")).judge(threePeers());
    assertThat(verdict.measured()).isNull();
    assertThat(verdict.met()).isFalse();
  }

  @Test
  void judge_speedOfBest_isInTimesOfOurs() {
    Bar.Verdict verdict =
        CPU.speedOfBest(1.5, "ours", List.of("one", "two", "three")).judge(threePeers());
    assertThat(verdict.measured()).isEqualTo(1.5);
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.bar()).endsWith("best of 3 / ours ≥ 1.5");
  }

  @Test
  void judge_lessBy_isTheDifference() {
    Bar.Verdict verdict = CPU.lessBy(10, "ours", "one").judge(threePeers());
    assertThat(verdict.measured()).isEqualTo(10);
    assertThat(verdict.met()).isTrue();
    assertThat(verdict.bar()).endsWith("one − ours ≥ 10");
    assertThat(CPU.lessBy(10.5, "ours", "one").judge(threePeers()).met()).isFalse();
  }

  @Test
  void judge_valueAlone_standsToItsLimit() {
    assertThat(CPU.atMost(10, "ours").judge(threePeers()).met()).isTrue();
    assertThat(CPU.below(10, "ours").judge(threePeers()).met()).isFalse();
    assertThat(CPU.above(10, "ours").judge(threePeers()).met()).isFalse();
    assertThat(CPU.above(9, "ours").judge(threePeers()).met()).isTrue();
    assertThat(CPU.below(11, "ours").judge(threePeers()).bar()).endsWith("ours < 11");
  }

  private static final Bar HALF = CPU.atMost(0.5, "ours", "peer");

  private static Rows.Series cpu(String impl) {
    return new Rows.Series("one", impl, 1, "G1", Jdk.OWN, "cpu_ns_per_op");
  }

  private static Samples samples(Map<String, double[]> rounds) {
    Samples samples = new Samples();
    rounds.forEach(
        (impl, values) -> {
          for (int round = 0; round < values.length; round++) {
            samples.add(cpu(impl), round, values[round], "ns");
          }
        });
    return samples;
  }

  private static Samples samples(double[] ours, double[] peer) {
    return samples(Map.of("ours", ours, "peer", peer));
  }

  /** The machine is now fast, now slow: the ratio in a round is hardly disturbed. */
  @Test
  void decide_pairedRounds_areComparedInTheSameRound() {
    Samples samples = samples(new double[] {10, 22, 41}, new double[] {30, 63, 125});
    Bar.Decision decision = HALF.decide(samples);
    assertThat(decision.decided()).isEqualTo(Bar.Decided.MET);
    assertThat(decision.rounds()).isEqualTo(3);
    assertThat(Objects.requireNonNull(decision.interval()).high()).isBetween(0.35, 0.5);
  }

  @Test
  void decide_onTheOtherSide_isNotMet() {
    Samples samples = samples(new double[] {20, 21, 20}, new double[] {30, 30.5, 30});
    assertThat(HALF.decide(samples).decided()).isEqualTo(Bar.Decided.NOT_MET);
  }

  @Test
  void decide_aroundTheLimitOrTooFewRounds_isOpen() {
    assertThat(HALF.decide(samples(new double[] {14, 16, 15}, new double[] {30, 30, 30})).decided())
        .isEqualTo(Bar.Decided.OPEN);
    Bar.Decision few = HALF.decide(samples(new double[] {1, 1}, new double[] {30, 30}));
    assertThat(few.decided()).isEqualTo(Bar.Decided.OPEN);
    assertThat(few.interval()).isNull();
  }

  @Test
  void decide_bestOfPeers_needsAllOfThem() {
    Samples samples =
        samples(
            Map.of(
                "ours", new double[] {10, 10.1, 10},
                "one", new double[] {40, 40, 40.1},
                "two", new double[] {12, 12.1, 12},
                "far", new double[] {90, 91, 90}));
    assertThat(CPU.atMostBest(0.7, "ours", List.of("one", "far")).decide(samples).decided())
        .isEqualTo(Bar.Decided.MET);
    assertThat(CPU.atMostBest(0.7, "ours", List.of("one", "two")).decide(samples).decided())
        .isEqualTo(Bar.Decided.NOT_MET);
    assertThat(CPU.speedOfBest(2, "ours", List.of("one", "far")).decide(samples).decided())
        .isEqualTo(Bar.Decided.MET);
    assertThat(CPU.speedOfBest(2, "ours", List.of("one", "two")).decide(samples).decided())
        .isEqualTo(Bar.Decided.NOT_MET);
    assertThat(CPU.atMostBest(0.7, "ours", List.of("one", "none")).decide(samples).decided())
        .isEqualTo(Bar.Decided.OPEN);
  }

  @Test
  void decide_exactValue_isMetByNoOther() {
    Bar zero = CPU.exactly(0, "ours");
    assertThat(zero.decide(samples(Map.of("ours", new double[] {0, 0, 0}))).decided())
        .isEqualTo(Bar.Decided.MET);
    assertThat(zero.decide(samples(Map.of("ours", new double[] {0, 1, 0}))).decided())
        .isEqualTo(Bar.Decided.OPEN);
    assertThat(zero.decide(samples(Map.of("ours", new double[] {5, 5, 5}))).decided())
        .isEqualTo(Bar.Decided.NOT_MET);
  }

  @Test
  void decide_difference_isOfTheSameRound() {
    Bar saved = CPU.lessBy(9, "ours", "peer");
    assertThat(saved.decide(samples(new double[] {1, 50, 3}, new double[] {11, 60, 13})).decided())
        .isEqualTo(Bar.Decided.MET);
  }

  /** How many of 2,000 runs with this true ratio, of rounds like a machine's, are decided so. */
  private static double share(double ratio, Bar.Decided as) {
    int count = 0;
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      double[] ours = new double[Statistics.LOOKS.getLast()];
      double[] peer = new double[ours.length];
      Bar.Decided decided = Bar.Decided.OPEN;
      for (int round = 0; round < ours.length && decided == Bar.Decided.OPEN; round++) {
        double machine = 30 * (1 + random.nextDouble()); // fast and slow minutes
        peer[round] = machine * Math.exp(0.03 * random.nextGaussian());
        ours[round] = ratio * machine * Math.exp(0.03 * random.nextGaussian());
        if (random.nextInt(10) == 0) {
          ours[round] *= 1.3; // disturbed alone
        }
        if (random.nextInt(10) == 0) {
          peer[round] *= 1.3;
        }
        if (Statistics.LOOKS.contains(round + 1)) {
          decided =
              HALF.decide(samples(Arrays.copyOf(ours, round + 1), Arrays.copyOf(peer, round + 1)))
                  .decided();
        }
      }
      count += decided == as ? 1 : 0;
    }
    return count / 2_000.0;
  }

  @Test
  void decide_atTheLimitItself_isWrongInAtMostOneRunInTwenty() {
    assertThat(share(0.5001, Bar.Decided.MET)).isLessThan(0.05);
    assertThat(share(0.4999, Bar.Decided.NOT_MET)).isLessThan(0.05);
  }

  @Test
  void decide_farFromTheLimit_isRightAlmostAlways() {
    assertThat(share(0.35, Bar.Decided.MET)).isGreaterThan(0.95);
    assertThat(share(0.7, Bar.Decided.NOT_MET)).isGreaterThan(0.95);
  }

  @Test
  void judgement_saysWhatItRestsOn() {
    Samples decided = samples(new double[] {10, 10, 10}, new double[] {30, 31, 30});
    assertThat(HALF.judge(rows(10, 30), decided).line())
        .containsExactly(
            "one, G1, 1 thread, cpu_ns_per_op: ours / peer ≤ 0.5",
            "0.333 (0.287 to 0.378)",
            "met, decided after 3 rounds");
    Samples open = samples(new double[] {14, 16, 15, 14}, new double[] {30, 30, 30, 30});
    assertThat(HALF.judge(rows(14.5, 30), open).word())
        .isEqualTo("met, limit: not decided after 4 rounds");
    assertThat(HALF.judge(rows(16, 30), samples(new double[] {16}, new double[] {30})).word())
        .isEqualTo("NOT met, limit: too few to decide, 1 round");
    assertThat(CPU.exactly(0, "none").judge(rows(1, 2), open).word())
        .isEqualTo("NOT met: not measured");
  }

  @Test
  void needs_runsOfItsRowsAndTheirBaseline_noOther() {
    Case of =
        new Case(
            "one",
            "a case",
            List.of("times"),
            3,
            List.of(),
            List.of(Case.Derived.ratio("times", "cpu_ns_per_op", "alone")));
    assertThat(HALF.needs(of, TestSuite.run("ours", 0))).isTrue();
    assertThat(HALF.needs(of, TestSuite.run("peer", 0))).isTrue();
    assertThat(HALF.needs(of, TestSuite.run("alone", 0))).isFalse();
    assertThat(HALF.needs(of, TestSuite.run("ours", 0, "Z"))).isFalse();
    assertThat(HALF.needs(of, TestSuite.run("ours", 0).threads(2))).isFalse();
    assertThat(HALF.needs(TestSuite.caseOf("two", 3), TestSuite.run("ours", 0))).isFalse();
    Bar times = new Bar.Place("one", "times", "G1", 1).atMost(1, "ours");
    assertThat(times.needs(of, TestSuite.run("alone", 0))).isTrue();
    assertThat(times.needs(of, TestSuite.run("peer", 0))).isFalse();
  }
}
