package dev.offcut.bench;

import java.util.List;

/**
 * Runs that are compared with each other.
 *
 * @param name as in the rows
 * @param summary one line for {@code --list}
 * @param metrics what becomes rows, in this order; children may report more
 * @param rounds how often each run is repeated
 * @param runs in the order of the rows, the default collector first
 * @param derived metrics computed from those of another implementation in the same round
 */
public record Case(
    String name,
    String summary,
    List<String> metrics,
    int rounds,
    List<ChildRun> runs,
    List<Derived> derived) {
  /**
   * A metric that is another, compared with that of a baseline in the same round.
   *
   * @param metric its name, which the case's metrics contain
   * @param from the metric it is computed from
   * @param baseline the implementation that it is compared with
   * @param comparison how
   */
  public record Derived(String metric, String from, String baseline, Comparison comparison) {
    /** The excess over the baseline's. */
    public Derived(String metric, String from, String baseline) {
      this(metric, from, baseline, Comparison.EXCESS);
    }

    /**
     * In times of the baseline's. With it come {@code …_low} and {@code …_high}: between them the
     * median of all such rounds is to be expected.
     */
    public static Derived ratio(String metric, String from, String baseline) {
      return new Derived(metric, from, baseline, Comparison.RATIO);
    }

    String low() {
      return metric + "_low";
    }

    String high() {
      return metric + "_high";
    }
  }

  /** How a value is compared with the baseline's. */
  enum Comparison {
    EXCESS,
    RATIO;

    double of(double value, double baseline) {
      return this == RATIO ? value / baseline : value - baseline;
    }
  }
}
