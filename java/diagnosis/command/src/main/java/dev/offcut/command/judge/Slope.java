package dev.offcut.command.judge;

import dev.offcut.command.read.Courses;
import dev.offcut.command.read.Digest;
import java.util.Arrays;

/** How a count went over the run after it had warmed up. */
final class Slope {
  private static final int POINTS = 60;

  /** The share of a run in which it warms up, and the most of that in seconds. */
  private static final double WARM_UP = 1 / 3.0;

  private static final double LONGEST_WARM_UP = 60;

  /** A rise takes at least this share of the time: less is a step. */
  private static final double STEP = 0.1;

  /** A rise that stopped this share of the time ago, and so many seconds ago, is a plateau. */
  private static final double PLATEAU = 1 / 3.0;

  private static final double SHORT_PLATEAU = 2;

  /** Standard deviations of an interval that is right 95 times in 100. */
  private static final double WIDTH = 1.96;

  private static final double SECONDS_A_MINUTE = 60;

  private final double from;
  private final double to;

  /** How many were open at {@link #POINTS} times, which are equally far apart. */
  private final long[] values;

  /** Between all pairs of points, a second, in order. */
  private final double[] rates;

  private Slope(double from, double to, long[] values, double[] rates) {
    this.from = from;
    this.to = to;
    this.values = values;
    this.rates = rates;
  }

  static Slope of(Courses.Course course, double end) {
    double from = Math.min(LONGEST_WARM_UP, end * WARM_UP);
    long[] values = new long[POINTS];
    for (int i = 0; i < POINTS; i++) {
      values[i] = course.at(from + (end - from) * i / (POINTS - 1));
    }
    double step = Math.max(1e-3, end - from) / (POINTS - 1);
    double[] rates = new double[POINTS * (POINTS - 1) / 2];
    int at = 0;
    for (int i = 0; i < POINTS; i++) {
      for (int j = i + 1; j < POINTS; j++) {
        rates[at++] = (values[j] - values[i]) / ((j - i) * step);
      }
    }
    Arrays.sort(rates);
    return new Slope(from, end, values, rates);
  }

  long risen() {
    return values[POINTS - 1] - values[0];
  }

  /** The slope's lower (-1) or upper (1) bound, or its median (0), a second: Theil and Sen. */
  private double rate(int bound) {
    double deviation = Math.sqrt(POINTS * (POINTS - 1.0) * (2 * POINTS + 5) / 18);
    double rank = (rates.length - 1 + bound * WIDTH * deviation) / 2;
    return rates[Math.clamp(Math.round(rank), 0, rates.length - 1)];
  }

  /** Whether it rises still: neither by a step, nor until a plateau. */
  boolean isRise() {
    return risen() > 0 && rate(-1) > 0 && !isStep() && !isPlateau();
  }

  /** The first point that has a share of the rise. */
  private int reached(double share) {
    int at = 0;
    while (at < POINTS - 1 && values[at] < values[0] + share * risen()) {
      at++;
    }
    return at;
  }

  private boolean isStep() {
    return reached(0.9) - reached(0.1) < STEP * POINTS;
  }

  private boolean isPlateau() {
    double since = (to - from) * (POINTS - 1 - reached(0.9)) / (POINTS - 1);
    return since > Math.max(SHORT_PLATEAU, PLATEAU * (to - from));
  }

  /** Whether another one rises at the same times. */
  boolean isInStep(Slope other, double most) {
    for (int i = 0; i < POINTS; i++) {
      if (Math.abs(share(i) - other.share(i)) > most) {
        return false;
      }
    }
    return true;
  }

  private double share(int point) {
    return (double) (values[point] - values[0]) / risen();
  }

  Digest.Growth growth(String name) {
    return new Digest.Growth(
        name,
        risen(),
        to - from,
        Math.round(SECONDS_A_MINUTE * rate(0)),
        Math.round(SECONDS_A_MINUTE * rate(-1)),
        Math.round(SECONDS_A_MINUTE * rate(1)));
  }
}
