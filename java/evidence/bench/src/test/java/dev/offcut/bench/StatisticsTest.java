package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void median_oddNumber_isTheMiddleOne() {
    assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
  }

  @Test
  void median_evenNumber_liesBetween() {
    assertThat(Statistics.median(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(3);
  }

  @Test
  void median_oneDisturbedRound_doesNotMoveMuch() {
    assertThat(Statistics.median(List.of(7.0, 7.1, 7.2, 7.1, 70.0))).isEqualTo(7.1);
  }

  @Test
  void spread_isHalfTheDistanceBetweenTheQuartiles() {
    assertThat(Statistics.spread(List.of(1.0, 2.0, 3.0, 4.0, 5.0))).isEqualTo(1);
  }

  @Test
  void spread_betweenValues_isInProportion() {
    assertThat(Statistics.spread(List.of(1.0, 2.0))).isCloseTo(0.25, within(1e-12));
  }

  @Test
  void spread_oneValue_isZero() {
    assertThat(Statistics.spread(List.of(3.0))).isZero();
  }

  @Test
  void median_noValues_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Statistics.median(List.of()));
  }

  private static Statistics.Interval intervalOf(int number) {
    return Statistics.medianInterval(
        IntStream.rangeClosed(1, number).mapToObj(i -> (double) i).toList());
  }

  /** The figures of the tables of the sign test. */
  @Test
  void medianInterval_isThatOfTheSignTest() {
    assertThat(intervalOf(20)).isEqualTo(new Statistics.Interval(6, 15));
    assertThat(intervalOf(10)).isEqualTo(new Statistics.Interval(2, 9));
    assertThat(intervalOf(6)).isEqualTo(new Statistics.Interval(1, 6));
    assertThat(intervalOf(100)).isEqualTo(new Statistics.Interval(40, 61));
  }

  @Test
  void medianInterval_few_isAllOfThem() {
    assertThat(intervalOf(1)).isEqualTo(new Statistics.Interval(1, 1));
    assertThat(intervalOf(3)).isEqualTo(new Statistics.Interval(1, 3));
  }

  private static final int SEEDS = 4_000;

  /** Draws rounds one after the other; where a measurement that looks at each look would stop. */
  private interface Draw {
    double next(Random random);
  }

  /** A machine that is disturbed now and then: three rounds in ten are off by up to half. */
  private static double disturbed(Random random) {
    return 0.02 * random.nextGaussian()
        + (random.nextInt(10) < 3 ? 0.5 * random.nextGaussian() : 0);
  }

  /** How many seeds have an interval that leaves out the truth, 0, at any of the looks. */
  private static double missed(Draw draw, int claims) {
    int missed = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      List<Double> values = new ArrayList<>();
      boolean in = true;
      while (values.size() < Statistics.LOOKS.getLast()) {
        values.add(draw.next(random));
        if (Statistics.LOOKS.contains(values.size())) {
          Statistics.Interval interval = Statistics.meanInterval(values, claims);
          in &= interval.low() <= 0 && 0 <= interval.high();
        }
      }
      missed += in ? 0 : 1;
    }
    return (double) missed / SEEDS;
  }

  @Test
  void meanInterval_containsTheTruthAtAllLooks_nineteenTimesInTwenty() {
    assertThat(missed(Random::nextGaussian, 1)).isBetween(0.01, 0.05);
    assertThat(missed(StatisticsTest::disturbed, 1)).isLessThan(0.05);
    // Three of them lie close together too often. A bar errs to one side, so half as often.
    assertThat(missed(random -> random.nextDouble() - 0.5, 1)).isLessThan(0.08);
  }

  @Test
  void meanInterval_ofSeveralClaims_isWider() {
    assertThat(missed(Random::nextGaussian, 6)).isLessThan(0.01);
    List<Double> values = List.of(1.0, 2.0, 3.0);
    Statistics.Interval one = Statistics.meanInterval(values, 1);
    Statistics.Interval six = Statistics.meanInterval(values, 6);
    assertThat(one.high() - one.low()).isLessThan(six.high() - six.low());
  }

  /** t with 2 degrees of freedom, of which 0.3125 % lie above: 12.590. */
  @Test
  void meanInterval_isThatOfTheTableOfStudentsT() {
    Statistics.Interval interval = Statistics.meanInterval(List.of(9.0, 10.0, 11.0), 1);
    assertThat(interval.high() - 10).isCloseTo(12.590 / Math.sqrt(3), within(0.01));
    assertThat(10 - interval.low()).isCloseTo(12.590 / Math.sqrt(3), within(0.01));
  }

  @Test
  void meanInterval_ofTheSameValue_isThatValue() {
    assertThat(Statistics.meanInterval(List.of(2.0, 2.0, 2.0), 1))
        .isEqualTo(new Statistics.Interval(2, 2));
  }
}
