package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.CPU;
import static dev.offcut.bench.TestSuite.series;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Bar.Word;
import org.junit.jupiter.api.Test;

class BarTest {
  private static final Bar.Place PLACE = new Bar.Place("one", CPU);

  private final Samples samples = new Samples();

  /** Rounds of an implementation. */
  private void measured(String impl, double... values) {
    for (int round = 0; round < values.length; round++) {
      samples.add(series(impl, CPU), round, values[round], "ns");
    }
  }

  private Word judged(Bar bar) {
    return bar.judge(samples).word();
  }

  @Test
  void judge_ratioBelowTheLimitInSixRounds_isMet() {
    measured("ours", 9, 9, 10, 9, 8, 9);
    measured("peer", 20, 20, 20, 20, 20, 20);
    Bar.Verdict verdict = PLACE.ratio(0.5, "ours", "peer").judge(samples);
    assertThat(verdict.word()).isEqualTo(Word.MET);
    assertThat(verdict.measured()).isEqualTo(0.45);
    assertThat(Bar.line(verdict))
        .containsExactly(
            "one, 1 thread, " + CPU + ": ours / peer ≤ 0.5", "0.450 (0.400 to 0.5)", "met");
    assertThat(judged(PLACE.ratio(0.39, "ours", "peer"))).isEqualTo(Word.NOT_MET);
    assertThat(judged(PLACE.ratio(0.45, "ours", "peer"))).isEqualTo(Word.UNDECIDED);
  }

  /** Both ran one after the other: what disturbs both does not change their ratio. */
  @Test
  void judge_machineThatBecomesSlower_isByTheRatiosOfTheRounds() {
    measured("ours", 1, 2, 4, 8, 16, 32);
    measured("peer", 2, 4, 8, 16, 32, 64);
    assertThat(judged(PLACE.ratio(0.5, "ours", "peer"))).isEqualTo(Word.MET);
  }

  @Test
  void judge_fewRounds_isUndecided() {
    measured("ours", 1, 1, 1, 1, 1);
    measured("peer", 9, 9, 9, 9, 9);
    Bar.Verdict verdict = PLACE.ratio(0.5, "ours", "peer").judge(samples);
    assertThat(Bar.line(verdict)).endsWith("undecided after 5");
  }

  @Test
  void judge_failedRoundOfThePeer_isLeftOut() {
    measured("ours", 1, 1, 1, 1, 1, 1, 1);
    measured("peer", 9, 9, 9, 9, 9, 9);
    assertThat(PLACE.ratio(0.5, "ours", "peer").judge(samples).rounds()).isEqualTo(6);
  }

  @Test
  void judge_bestOfSeveral_isTheOneThatIsHardestToBeat() {
    measured("ours", 10, 10, 10, 10, 10, 10);
    measured("slow", 20, 20, 20, 20, 20, 20);
    measured("fast", 8, 8, 8, 8, 8, 8);
    Bar bar = PLACE.ratio(1, "ours", "slow", "fast", "absent");
    assertThat(bar.judge(samples).measured()).isEqualTo(1.25);
    assertThat(bar.judge(samples).bar()).endsWith("ours / best of 3 ≤ 1");
    assertThat(judged(bar)).isEqualTo(Word.NOT_MET);
  }

  @Test
  void judge_difference_isOfTheRounds() {
    measured("ours", 30, 31, 32, 33, 34, 35);
    measured("peer", 20, 21, 22, 23, 24, 25);
    assertThat(judged(PLACE.over(10, "ours", "peer"))).isEqualTo(Word.MET);
    assertThat(judged(PLACE.over(9, "ours", "peer"))).isEqualTo(Word.NOT_MET);
  }

  @Test
  void judge_count_isDecidedByTheRoundsThereAre() {
    measured("ours", 19);
    assertThat(judged(PLACE.atLeast(20, "ours"))).isEqualTo(Word.NOT_MET);
    assertThat(judged(PLACE.atLeast(19, "ours"))).isEqualTo(Word.MET);
    assertThat(judged(PLACE.atMost(0, "ours"))).isEqualTo(Word.NOT_MET);
  }

  @Test
  void judge_noRound_isNotMeasured() {
    measured("ours", 1, 1, 1, 1, 1, 1);
    Bar.Verdict verdict = PLACE.ratio(0.5, "ours", "peer").judge(samples);
    assertThat(verdict.word()).isEqualTo(Word.NOT_MEASURED);
    assertThat(Bar.line(verdict)).endsWith("", "not measured");
  }
}
