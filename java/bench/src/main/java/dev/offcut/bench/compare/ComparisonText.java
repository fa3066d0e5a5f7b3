package dev.offcut.bench.compare;

import dev.offcut.bench.TableReport;
import dev.offcut.bench.compare.Comparison.Change;
import dev.offcut.bench.compare.Comparison.Change.Verdict;
import dev.offcut.bench.read.RunFile;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A comparison for people: a table of what changed, and the counts. */
final class ComparisonText {
  private static final String GAP = "  ";

  private final PrintStream out;

  ComparisonText(PrintStream out) {
    this.out = out;
  }

  void print(Comparison comparison) {
    out.println(comparison.base().suite() + ": " + named(comparison.base()));
    out.println(" ".repeat(comparison.base().suite().length()) + "→ " + named(comparison.now()));
    comparison.differs().forEach(what -> out.println(GAP + "differs in " + what));
    out.println();
    changes(comparison);
    lacking("Only in " + comparison.base().path(), comparison.onlyBase());
    lacking("Only in " + comparison.now().path(), comparison.onlyNow());
    out.println(counts(comparison));
  }

  private static String named(RunFile file) {
    String form = file.isQuick() ? ", quick form" : "";
    return file.path() + " (" + file.fact("time") + ", " + file.fact("offcut") + form + ")";
  }

  private void changes(Comparison comparison) {
    List<Change> changes = comparison.beyondNoise();
    if (changes.isEmpty()) {
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("", "implementation", "metric", "base", "new", "", "change", "others", ""));
    for (Change change : changes) {
      RunFile.Row.Key key = change.base().key();
      lines.add(
          List.of(
              comparison.base().place(change.base()),
              key.impl(),
              key.metric(),
              change.base().text(),
              change.now().text(),
              change.base().unit(),
              change.percentText(),
              change.othersText(),
              change.verdict().toString()));
    }
    TableReport.align(lines).forEach(out::println);
    out.println();
  }

  private void lacking(String title, List<RunFile.Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    out.println(title);
    rows.stream()
        .map(RunFile.Row::key)
        .map(key -> key.place() + ", " + key.runtime() + ": " + key.impl() + " " + key.metric())
        .forEach(row -> out.println(GAP + row));
    out.println();
  }

  private static String counts(Comparison comparison) {
    List<String> parts = new ArrayList<>();
    for (Verdict verdict : Verdict.values()) {
      long count = comparison.count(verdict);
      if (count > 0 || verdict == Verdict.REGRESSION) {
        parts.add(count + " " + words(verdict, count));
      }
    }
    return comparison.changes().size() + " rows compared: " + String.join(", ", parts);
  }

  private static String words(Verdict verdict, long count) {
    return switch (verdict) {
      case REGRESSION -> (count == 1 ? "regression" : "regressions") + " of ours over 10 %";
      case AS_OTHERS -> "of ours worse, as others are";
      case WORSE -> "otherwise worse";
      case BETTER -> "better";
      case CHANGED -> "changed, neither better nor worse";
      case SAME -> "unchanged within the noise";
    };
  }
}
