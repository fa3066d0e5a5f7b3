package dev.offcut.bench.contention;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.offcut.bench.contention.ScalabilityLaw.Point;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScalabilityLawTest {
  private static List<Point> points(ScalabilityLaw law) {
    return IntStream.of(1, 2, 4, 8, 16, 32).mapToObj(n -> new Point(n, law.throughput(n))).toList();
  }

  private static ScalabilityLaw found(List<Point> points) {
    return requireNonNull(ScalabilityLaw.of(points));
  }

  @Test
  void of_pointsOfALaw_isThatLaw() {
    ScalabilityLaw law = found(points(new ScalabilityLaw(1000, 0.05, 0.002, 0)));
    assertThat(law.lambda()).isCloseTo(1000, offset(1e-6));
    assertThat(law.sigma()).isCloseTo(0.05, offset(1e-9));
    assertThat(law.kappa()).isCloseTo(0.002, offset(1e-9));
    assertThat(law.error()).isCloseTo(0, offset(1e-9));
    assertThat(law.peak()).isCloseTo(Math.sqrt(0.95 / 0.002), offset(1e-3));
  }

  @Test
  void of_pointsThatRiseFasterThanThreads_hasNoParameterBelowZero() {
    ScalabilityLaw law =
        found(List.of(new Point(1, 100), new Point(2, 230), new Point(4, 500), new Point(8, 900)));
    assertThat(law.sigma()).isNotNegative();
    assertThat(law.kappa()).isNotNegative();
    assertThat(law.error()).isBetween(0.001, 0.2);
  }

  @Test
  void of_threadsThatTakeTurns_isAllSerial() {
    ScalabilityLaw law = found(Stream.of(1, 2, 4, 8).map(n -> new Point(n, 500)).toList());
    assertThat(law.sigma()).isCloseTo(1, offset(1e-9));
    assertThat(law.peak()).isInfinite();
  }

  @Test
  void of_threadsThatAreSlowerTogether_isSerialAtMost() {
    ScalabilityLaw law = found(Stream.of(1, 2, 4, 8).map(n -> new Point(n, 900.0 / n)).toList());
    assertThat(law.sigma()).isBetween(0.0, 1.0);
    assertThat(law.kappa()).isPositive();
    assertThat(law.peak()).isLessThan(2);
  }

  /** Each point weighs the same: a slow one is not lost beside fast ones. */
  @Test
  void of_anErrorInASmallThroughput_countsAsOneInALarge() {
    ScalabilityLaw exact = new ScalabilityLaw(100, 0.5, 0.1, 0);
    List<Point> points = points(exact);
    double last = points.getLast().throughput();
    List<Point> wrong =
        Stream.concat(
                points.subList(0, points.size() - 1).stream(), Stream.of(new Point(32, last * 1.1)))
            .toList();
    ScalabilityLaw law = found(wrong);
    assertThat(law.throughput(32) / (last * 1.1)).isBetween(0.9, 1.05);
    assertThat(law.error()).isLessThan(0.05);
  }

  @Test
  void of_twoPoints_isNone() {
    assertThat(ScalabilityLaw.of(List.of(new Point(1, 100), new Point(2, 200)))).isNull();
  }

  @Test
  void of_threeTimesTheSameThreads_hasThroughputAlone() {
    ScalabilityLaw law = found(List.of(new Point(2, 100), new Point(2, 100), new Point(2, 100)));
    assertThat(law.throughput(2)).isCloseTo(100, offset(1e-6));
  }
}
