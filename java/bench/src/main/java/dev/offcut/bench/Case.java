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
    List<Run> runs,
    List<Derived> derived) {
  /**
   * A metric that is the excess of another over a baseline's.
   *
   * @param metric its name, which the case's metrics contain
   * @param from the metric it is computed from
   * @param baseline the implementation that is subtracted
   */
  public record Derived(String metric, String from, String baseline) {}
}
