package dev.offcut.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one invocation, in the order of the report. Ratios are made of these alone. A row is
 * the value of a series, which is what the values of all rounds have in common.
 */
final class Rows {
  private final Map<Series, Row> rows = new LinkedHashMap<>();

  Rows(List<Row> all) {
    all.forEach(row -> rows.put(row.series(), row));
  }

  List<Row> all() {
    return List.copyOf(rows.values());
  }

  @Nullable Row find(Series series) {
    return rows.get(series);
  }

  /** Of a case that runs under one collector, on one thread, and on one JDK; null if it is not. */
  @Nullable Double value(String caseName, String impl, String metric) {
    for (Row row : rows.values()) {
      Series series = row.series();
      if (series.caseName().equals(caseName)
          && series.impl().equals(impl)
          && series.metric().equals(metric)) {
        return row.value();
      }
    }
    return null;
  }

  /**
   * One measured value, as it stands in the JSON.
   *
   * @param series what it is about
   * @param version of the implementation
   * @param value the median of the rounds
   * @param unit of value and spread
   * @param spread half the distance between the quartiles of the rounds
   * @param rounds how many rounds there were; 0 if that was not kept
   */
  record Row(Series series, String version, double value, String unit, double spread, int rounds) {}

  /**
   * What the values of all rounds of one measurement have in common.
   *
   * @param caseName {@code case} in the JSON
   */
  record Series(String caseName, String impl, int threads, String gc, Jdk jdk, String metric) {
    static Series of(Case of, ChildRun run, String metric) {
      return new Series(of.name(), run.impl(), run.threads(), run.gc(), run.jdk(), metric);
    }

    /** The same of another implementation. */
    Series by(String other) {
      return new Series(caseName, other, threads, gc, jdk, metric);
    }

    /** The same on another JDK. */
    Series on(Jdk other) {
      return new Series(caseName, impl, threads, gc, other, metric);
    }

    /** The same in another metric. */
    Series in(String other) {
      return new Series(caseName, impl, threads, gc, jdk, other);
    }

    /** Case, collector and threads, in the words of a report; and the JDK, if it is not our own. */
    String place() {
      String other = jdk.equals(Jdk.OWN) ? "" : ", " + jdk.runtime();
      return caseName
          + ", "
          + gc
          + ", "
          + threads
          + (threads == 1 ? " thread" : " threads")
          + other;
    }
  }
}
