package dev.offcut.bench;

import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The values of all rounds. */
final class Samples {
  /** By round, since a round may be missing. */
  private final Map<Series, SortedMap<Integer, Double>> values = new HashMap<>();

  private final Map<String, String> units = new HashMap<>();

  void add(Series series, int round, double value, String unit) {
    values.computeIfAbsent(series, s -> new TreeMap<>()).put(round, value);
    units.put(series.metric(), unit);
  }

  /** The values by their rounds. */
  SortedMap<Integer, Double> of(Series series) {
    return values.getOrDefault(series, new TreeMap<>());
  }

  /** The rows of a case, in the order of its runs and metrics. */
  List<Row> rows(Case of, Suite suite) {
    derive(of);
    return of.runs().stream()
        .flatMap(run -> of.metrics().stream().map(metric -> Series.of(of, run, metric)))
        .distinct()
        .flatMap(series -> row(series, suite.version(series.impl(), series.jdk())))
        .toList();
  }

  /** Computes what the case derives, of all rounds that there are. */
  void derive(Case of) {
    of.derived().forEach(rule -> derive(of, rule));
  }

  /** Compares with the baseline's value of the same round. */
  private void derive(Case of, Case.Derived rule) {
    for (ChildRun run : of.runs()) {
      Series from = Series.of(of, run, rule.from());
      if (!run.impl().equals(rule.baseline())) {
        derive(from, rule);
      }
    }
  }

  private void derive(Series from, Case.Derived rule) {
    Map<Integer, Double> baseline = of(from.by(rule.baseline()));
    boolean ratio = rule.comparison() == Case.Comparison.RATIO;
    Series to = from.in(rule.metric());
    for (var value : of(from).entrySet()) {
      Double with = baseline.get(value.getKey());
      if (with != null) {
        double compared = rule.comparison().of(value.getValue(), with);
        add(to, value.getKey(), compared, ratio ? "ratio" : unit(rule.from()));
      }
    }
    if (ratio && !of(to).isEmpty()) {
      Statistics.Interval interval = Statistics.medianInterval(List.copyOf(of(to).values()));
      for (int round : List.copyOf(of(to).keySet())) { // each row says of how many rounds it is
        add(from.in(rule.low()), round, interval.low(), "ratio");
        add(from.in(rule.high()), round, interval.high(), "ratio");
      }
    }
  }

  private Stream<Row> row(Series series, String version) {
    List<Double> all = List.copyOf(of(series).values());
    if (all.isEmpty()) {
      return Stream.empty();
    }
    double median = Statistics.median(all);
    double spread = Statistics.spread(all);
    return Stream.of(new Row(series, version, median, unit(series.metric()), spread, all.size()));
  }

  private String unit(String metric) {
    return units.getOrDefault(metric, "");
  }
}
