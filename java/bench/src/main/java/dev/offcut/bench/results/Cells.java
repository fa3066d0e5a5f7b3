package dev.offcut.bench.results;

import dev.offcut.bench.read.RunFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a run as cells of tables, in one setting: a collector, one thread, its own runtime.
 */
record Cells(@Nullable RunFile run, String gc) {
  /** Where something published was not measured, or the other way round. */
  static final String NONE = "–";

  /** Value and spread; a dash where it was not measured. */
  String of(String caseName, String impl, String metric) {
    if (run == null) {
      return NONE;
    }
    RunFile.Row row = run.find(key(run, caseName, impl, metric));
    return row == null ? NONE : row.text();
  }

  /** The value; null where it was not measured. */
  @Nullable Double value(String caseName, String impl, String metric) {
    RunFile.Row row = run == null ? null : run.find(key(run, caseName, impl, metric));
    return row == null ? null : row.value();
  }

  /** The same in another unit, so many times the figure, with so many decimals. */
  String scaled(String caseName, String impl, String metric, double by, int decimals) {
    RunFile.Row row = run == null ? null : run.find(key(run, caseName, impl, metric));
    if (row == null) {
      return NONE;
    }
    String number = "%,." + decimals + "f";
    return String.format(Locale.ROOT, number, row.value() * by)
        + (row.spread() == 0 ? "" : String.format(Locale.ROOT, " ±" + number, row.spread() * by));
  }

  private RunFile.Row.Key key(RunFile of, String caseName, String impl, String metric) {
    return new RunFile.Row.Key(caseName, impl, 1, gc, of.fact("runtime"), metric);
  }

  /** Such as {@code 0.45 ×}: one value by another's of the same run. */
  String ratio(String caseName, String impl, String baseline, String metric) {
    RunFile.Row one = run == null ? null : run.find(key(run, caseName, impl, metric));
    RunFile.Row other = run == null ? null : run.find(key(run, caseName, baseline, metric));
    return one == null || other == null || other.value() == 0
        ? NONE
        : String.format(Locale.ROOT, "%.2f ×", one.value() / other.value());
  }

  /** The implementation's version; empty where it was not measured. */
  String version(String caseName, String impl) {
    if (run == null) {
      return "";
    }
    return run.rows().stream()
        .filter(row -> row.key().caseName().equals(caseName) && row.key().impl().equals(impl))
        .map(RunFile.Row::version)
        .findFirst()
        .orElse("");
  }

  /** A line: a first cell, then one for each metric of an implementation. */
  List<String> line(String first, String caseName, String impl, List<String> metrics) {
    List<String> line = new ArrayList<>(List.of(first));
    metrics.forEach(metric -> line.add(of(caseName, impl, metric)));
    return line;
  }
}
