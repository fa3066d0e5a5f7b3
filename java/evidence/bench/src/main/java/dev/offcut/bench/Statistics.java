package dev.offcut.bench;

import java.util.List;

/** Of a few values that some of the time are disturbed: medians and quartiles, not means. */
final class Statistics {
  private static final double ERROR = 0.05;

  private Statistics() {}

  static double median(List<Double> values) {
    return quantile(values, 0.5);
  }

  /** Half the distance between the quartiles, in the values' unit; 0 for a single value. */
  static double spread(List<Double> values) {
    return (quantile(values, 0.75) - quantile(values, 0.25)) / 2;
  }

  /** Between two values: in proportion. */
  static double quantile(List<Double> values, double part) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values");
    }
    List<Double> sorted = values.stream().sorted().toList();
    double at = part * (sorted.size() - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.size() - 1);
    return sorted.get(below) + (at - below) * (sorted.get(above) - sorted.get(below));
  }

  /**
   * Where the median of what the values are drawn from lies.
   *
   * @param isSure whether it lies there 95 times in 100 or more, whatever the distribution: of less
   *     than six values no two are so far apart
   */
  record Interval(double low, double high, boolean isSure) {}

  /** Between the k-th least and the k-th greatest value, with the greatest k that is still sure. */
  static Interval medianInterval(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int n = sorted.size();
    double tail = Math.pow(0.5, n); // that all lie on one side of it
    boolean isSure = 2 * tail <= ERROR;
    double term = tail;
    int out = 0;
    while (out < n / 2) {
      term = term * (n - out) / (out + 1);
      if (2 * (tail + term) > ERROR) {
        break;
      }
      tail += term;
      out++;
    }
    return new Interval(sorted.get(out), sorted.get(n - 1 - out), isSure);
  }
}
