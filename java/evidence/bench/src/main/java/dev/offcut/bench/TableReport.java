package dev.offcut.bench;

import dev.offcut.bench.Bar.Verdict;
import dev.offcut.bench.Samples.Row;
import dev.offcut.bench.Samples.Series;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The page for people: the bars, where a peer is ahead, and a table for each place. */
public final class TableReport {
  private static final String GAP = "  ";

  private final PrintStream out;
  private final List<Row> rows;

  TableReport(PrintStream out, List<Row> rows) {
    this.out = out;
    this.rows = rows;
  }

  void print(Suite suite, List<Case> cases, Samples samples, List<Verdict> bars) {
    bars(bars);
    ahead(suite);
    overview(suite, samples);
    for (Case of : cases) {
      tables(of);
    }
    out.flush();
  }

  private void overview(Suite suite, Samples samples) {
    List<List<String>> lines = suite.overview(samples);
    if (!lines.isEmpty()) {
      align(lines).forEach(out::println);
      out.println();
    }
  }

  private void tables(Case of) {
    Map<String, List<Row>> places = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.series().caseName().equals(of.name())) {
        places.computeIfAbsent(row.series().place(), p -> new ArrayList<>()).add(row);
      }
    }
    places.forEach((place, all) -> table(place + ": " + of.summary(), all));
  }

  /** What there is more of, implementations or metrics, stands in the lines. */
  private void table(String title, List<Row> of) {
    List<String> impls = of.stream().map(row -> row.series().impl()).distinct().toList();
    List<String> metrics = of.stream().map(row -> row.series().metric()).distinct().toList();
    Series any = of.getFirst().series();
    out.println(title);
    if (metrics.size() > impls.size()) {
      lines(metrics, impls, (metric, impl) -> any.by(impl).in(metric));
    } else {
      lines(impls, metrics, (impl, metric) -> any.by(impl).in(metric));
    }
    out.println();
  }

  private void lines(
      List<String> heads, List<String> columns, BiFunction<String, String, Series> series) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(concat("", columns));
    for (String head : heads) {
      lines.add(concat(head, columns.stream().map(c -> cell(series.apply(head, c))).toList()));
    }
    align(lines).forEach(out::println);
  }

  private String cell(Series series) {
    return rows.stream()
        .filter(row -> row.series().equals(series))
        .findFirst()
        .map(row -> Numbers.brief(row.value(), row.spread()))
        .orElse("");
  }

  private static List<String> concat(String first, List<String> rest) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(rest);
    return all;
  }

  /** The first column to the left, the others to the right. */
  public static List<String> align(List<List<String>> lines) {
    int[] widths = new int[lines.getFirst().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    return lines.stream().map(line -> aligned(line, widths)).toList();
  }

  private static String aligned(List<String> line, int[] widths) {
    StringBuilder text = new StringBuilder(GAP).append(line.getFirst());
    text.repeat(' ', widths[0] - line.getFirst().length());
    for (int i = 1; i < widths.length; i++) {
      text.append(GAP).repeat(' ', widths[i] - line.get(i).length()).append(line.get(i));
    }
    return text.toString();
  }

  private void ahead(Suite suite) {
    List<Ahead> all = Ahead.in(rows, suite);
    if (all.isEmpty()) {
      return;
    }
    out.println("Where a peer is ahead");
    all.forEach(ahead -> out.println(GAP + ahead.text()));
    out.println();
  }

  private void bars(List<Verdict> bars) {
    if (!bars.isEmpty()) {
      out.println("Targets, from this run alone");
      align(bars.stream().map(Bar::line).toList()).forEach(out::println);
      out.println();
    }
  }
}
