package dev.offcut.bench.results;

import dev.offcut.bench.Case;
import dev.offcut.bench.Case.Headline;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suites;
import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.results.Section.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The headline of every suite on each runtime: the rows of the suites' runs, side by side. A case's
 * runtimes were measured in the same rounds.
 */
final class RuntimesTable {
  /** The page's name, and that of its section. */
  static final String NAME = "runtimes";

  /** The versions of Java that have a column, there or not. */
  static final List<Integer> FEATURES = List.of(17, 25, 27, 28);

  private static final String JAVA = "java ";
  private static final List<String> HEADS =
      List.of("suite", "case", "metric", "implementation", "version");

  private RuntimesTable() {}

  /** Java's, and Go's; none that would have no line. */
  static List<Table> of(List<Section> sections) {
    List<RunFile> runs =
        sections.stream().map(section -> section.outcome().run()).filter(Objects::nonNull).toList();
    List<Table> tables = new ArrayList<>();
    tables.add(java(runs));
    runs.stream().filter(run -> run.suite().equals(Suites.GO)).forEach(run -> tables.add(go(run)));
    return tables.stream().filter(table -> !table.lines().isEmpty()).toList();
  }

  private static Table java(List<RunFile> runs) {
    Map<Integer, String> found = new TreeMap<>();
    FEATURES.forEach(feature -> found.put(feature, ""));
    Map<RunFile, List<Case>> cases = new LinkedHashMap<>();
    for (RunFile run : runs) {
      List<Case> headlines = Suites.headlines(run.suite());
      cases.put(run, headlines);
      for (Case of : headlines) {
        for (RunFile.Row row : run.rows()) {
          if (row.key().caseName().equals(of.name()) && row.key().runtime().startsWith(JAVA)) {
            String version = row.key().runtime().substring(JAVA.length());
            found.merge(Jdk.feature(version), version, (old, now) -> old.isEmpty() ? now : old);
          }
        }
      }
    }
    List<String> heads = new ArrayList<>(HEADS);
    found.forEach(
        (feature, version) ->
            heads.add(version.isEmpty() ? JAVA + feature + ": not measured" : JAVA + version));
    List<List<String>> lines = new ArrayList<>();
    cases.forEach((run, all) -> all.forEach(of -> lines.addAll(lines(run, of, found))));
    return new Table("Java", heads, lines);
  }

  private static List<List<String>> lines(RunFile run, Case of, Map<Integer, String> found) {
    List<List<String>> lines = new ArrayList<>();
    Headline headline = Objects.requireNonNull(of.headline());
    for (String impl : headline.impls()) {
      List<String> cells = new ArrayList<>();
      String version = null;
      String unit = "";
      for (Map.Entry<Integer, String> runtime : found.entrySet()) {
        RunFile.Row row = row(run, of.name(), headline.metric(), impl, JAVA + runtime.getValue());
        version = version == null && row != null ? row.version() : version;
        unit = row == null ? unit : row.unit();
        cells.add(cell(row, runtime.getKey() < headline.needs() ? headline.needs() : 0));
      }
      if (version != null) {
        List<String> line =
            new ArrayList<>(
                List.of(
                    run.suite(), of.name(), headline.metric() + ", " + unit, impl, said(version)));
        line.addAll(cells);
        lines.add(line);
      }
    }
    return lines;
  }

  /** A version that is the runtime's own stands in the head of the column. */
  private static String said(String version) {
    return FEATURES.stream().anyMatch(feature -> version.matches(feature + "\\b.*[+].*"))
        ? "the runtime's"
        : version;
  }

  private static String cell(RunFile.@Nullable Row row, int needs) {
    return row != null ? row.text() : needs > 0 ? "needs " + needs : Cells.NONE;
  }

  private static RunFile.@Nullable Row row(
      RunFile run, String caseName, String metric, String impl, String runtime) {
    return run.rows().stream()
        .filter(
            row ->
                row.key().caseName().equals(caseName)
                    && row.key().metric().equals(metric)
                    && row.key().impl().equals(impl)
                    && row.key().threads() == 1
                    && row.key().runtime().equals(runtime))
        .findFirst() // the first collector
        .orElse(null);
  }

  /** The rows that are there for several versions of Go. */
  private static Table go(RunFile run) {
    Set<String> runtimes = new LinkedHashSet<>(List.of(run.fact("runtime")));
    run.rows().forEach(row -> runtimes.add(row.key().runtime()));
    List<String> heads = new ArrayList<>(HEADS);
    heads.addAll(runtimes);
    List<List<String>> lines = new ArrayList<>();
    for (RunFile.Row row : run.rows()) {
      RunFile.Row.Key key = row.key();
      boolean own = key.runtime().equals(run.fact("runtime"));
      if (!own || !key.metric().equals("cpu_ns_per_op")) {
        continue;
      }
      List<String> cells = new ArrayList<>();
      for (String runtime : runtimes) {
        RunFile.Row other = row(run, key.caseName(), key.metric(), key.impl(), runtime);
        cells.add(cell(other, 0));
      }
      if (runtimes.size() > 1 && cells.stream().noneMatch(Cells.NONE::equals)) {
        String version = row.version().equals(key.runtime()) ? "the runtime's" : row.version();
        List<String> line =
            new ArrayList<>(
                List.of(
                    Suites.GO,
                    key.caseName(),
                    key.metric() + ", " + row.unit(),
                    key.impl(),
                    version));
        line.addAll(cells);
        lines.add(line);
      }
    }
    return new Table("Go", heads, lines);
  }

  /** The page. */
  static String page(List<Section> sections) {
    StringBuilder text = new StringBuilder("# Results: runtimes\n\n").append(SAYS).append("\n\n");
    List<Table> tables = of(sections);
    if (tables.isEmpty()) {
      text.append("No suite was measured.\n");
    }
    for (Table table : tables) {
      MarkdownPage.table(text, "## " + table.caption(), table);
    }
    return text.toString();
  }

  /** What the tables show. */
  static final String SAYS =
      "The headline of each suite on several versions of Java and Go. The cells of a line share"
          + " their first rounds. A cell that a bar is about may have more of them; the page of the"
          + " suite says how many. “needs 25”: the library, or the program that measures"
          + " it, needs that version. “–”: not measured. A column without a version was not on the"
          + " machine. `jdk-ofConfined-tuned` has a setting that only JDK 28 knows.";
}
