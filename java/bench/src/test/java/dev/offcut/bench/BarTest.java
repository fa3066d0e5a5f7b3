package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
