package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void median_isTheMiddle() {
    assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
    assertThat(Statistics.median(List.of(4.0, 1.0, 2.0, 100.0))).isEqualTo(3);
    assertThatIllegalArgumentException().isThrownBy(() -> Statistics.median(List.of()));
  }

  @Test
  void spread_isHalfTheDistanceBetweenTheQuartiles() {
    assertThat(Statistics.spread(List.of(1.0, 2.0, 3.0, 4.0, 5.0))).isEqualTo(1);
    assertThat(Statistics.spread(List.of(1.0, 2.0))).isCloseTo(0.25, within(1e-12));
    assertThat(Statistics.spread(List.of(3.0))).isZero();
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
