package dev.offcut.bench;

import java.util.List;
import org.hipparchus.distribution.continuous.TDistribution;

/** Of a few values that some of the time are disturbed: medians and quartiles, not means. */
final class Statistics {
  /**
   * After how many rounds a bar is looked at. The error is shared by the looks, so there are few:
   * each look more makes the interval of all of them wider.
   */
  static final List<Integer> LOOKS = List.of(3, 4, 5, 7, 9, 12, 16, 21);

  /** How often all looks together may leave out the truth. */
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

  /** Where a median is to be expected. */
  record Interval(double low, double high) {}

  /**
   * Where the median of what the values are drawn from lies, 95 times in 100 or more: between the
   * k-th least and the k-th greatest value, whatever their distribution. Of less than six values
   * none lie so far out: then the least and the greatest, of which less can be said.
   */
  static Interval medianInterval(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int n = sorted.size();
    double tail = Math.pow(0.5, n); // that all lie on one side of it
    double term = tail;
    int out = 0;
    while (out < n / 2) {
      term = term * (n - out) / (out + 1);
      if (2 * (tail + term) > 0.05) {
        break;
      }
      tail += term;
      out++;
    }
    return new Interval(sorted.get(out), sorted.get(n - 1 - out));
  }

  /**
   * Where the mean of what the values are drawn from lies, by Student's t. The intervals of all
   * {@link #LOOKS looks} contain it together, 95 times in 100 or more, so measuring may stop at the
   * first one that decides (Bonferroni's inequality over the looks). The values are to be about
   * normal, such as differences and logarithms of ratios of paired rounds; outliers make the
   * interval wider.
   *
   * @param values at least two
   * @param claims how many such intervals are to hold together
   */
  static Interval meanInterval(List<Double> values, int claims) {
    int n = values.size();
    double mean = values.stream().mapToDouble(v -> v).sum() / n;
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    double tail = ERROR / LOOKS.size() / claims / 2;
    double t = new TDistribution(n - 1).inverseCumulativeProbability(1 - tail);
    double half = t * Math.sqrt(squares / (n - 1) / n);
    return new Interval(mean - half, mean + half);
  }
}
