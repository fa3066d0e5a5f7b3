package dev.offcut.bench;

import java.util.List;

/** Of a few values that some of the time are disturbed: medians and quartiles, not means. */
final class Statistics {
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
}
