package dev.offcut.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values of all rounds, and the rows that they make. */
public final class Samples {
  /** By round, since a round may be missing. */
  private final Map<Series, SortedMap<Integer, Double>> values = new HashMap<>();

  private final Map<String, String> units = new HashMap<>();

  /** What one run reports in a round. */
  public void add(Series series, int round, double value, String unit) {
    values.computeIfAbsent(series, s -> new TreeMap<>()).put(round, value);
    units.put(series.metric(), unit);
  }

  /** The values by their rounds. */
  public SortedMap<Integer, Double> of(Series series) {
    return values.getOrDefault(series, new TreeMap<>());
  }

  /** The rows, in the order of the cases, runs and metrics. */
  List<Row> rows(List<Case> cases, Suite suite) {
    Map<Series, Row> rows = new LinkedHashMap<>();
    for (Case of : cases) {
      for (ChildRun run : of.runs()) {
        for (String metric : of.metrics()) {
          Series series = new Series(of.name(), run.impl(), run.threads(), metric);
          List<Double> all = new ArrayList<>(of(series).values());
          if (!all.isEmpty()) {
            rows.put(series, row(series, suite.version(run.impl()), all));
          }
        }
      }
    }
    return List.copyOf(rows.values());
  }

  private Row row(Series series, String version, List<Double> all) {
    return new Row(
        series,
        version,
        Statistics.median(all),
        units.getOrDefault(series.metric(), ""),
        Statistics.spread(all),
        all.size());
  }

  /** The median of a series of one thread; null if it was not measured. */
  public @Nullable Double value(String caseName, String impl, String metric) {
    SortedMap<Integer, Double> all = of(new Series(caseName, impl, 1, metric));
    return all.isEmpty() ? null : Statistics.median(List.copyOf(all.values()));
  }

  /**
   * One measured value, as it stands in the JSON.
   *
   * @param series what it is about
   * @param version of the implementation
   * @param value the median of the rounds
   * @param unit of value and spread
   * @param spread half the distance between the quartiles of the rounds
   * @param rounds how many rounds there were
   */
  record Row(Series series, String version, double value, String unit, double spread, int rounds) {}

  /**
   * What the values of all rounds of one measurement have in common.
   *
   * @param caseName {@code case} in the JSON
   */
  public record Series(String caseName, String impl, int threads, String metric) {
    /** The same of another implementation. */
    Series by(String other) {
      return new Series(caseName, other, threads, metric);
    }

    /** The same in another metric. */
    Series in(String other) {
      return new Series(caseName, impl, threads, other);
    }

    /** Case and threads, in the words of a report. */
    String place() {
      return caseName + ", " + threads + (threads == 1 ? " thread" : " threads");
    }
  }
}
