package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
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
    assertThat(intervalOf(20)).isEqualTo(new Statistics.Interval(6, 15, true));
    assertThat(intervalOf(10)).isEqualTo(new Statistics.Interval(2, 9, true));
    assertThat(intervalOf(6)).isEqualTo(new Statistics.Interval(1, 6, true));
    assertThat(intervalOf(100)).isEqualTo(new Statistics.Interval(40, 61, true));
  }

  @Test
  void medianInterval_few_isAllOfThem_andNotSure() {
    assertThat(intervalOf(1)).isEqualTo(new Statistics.Interval(1, 1, false));
    assertThat(intervalOf(3)).isEqualTo(new Statistics.Interval(1, 3, false));
  }
}
