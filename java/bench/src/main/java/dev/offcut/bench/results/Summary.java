package dev.offcut.bench.results;

import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.results.BarsPicture.Bar;
import dev.offcut.bench.results.BarsPicture.Group;
import dev.offcut.bench.results.BarsPicture.Picture;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All five problems in one table and one picture: two other solutions of each, and Offcut's. Each
 * line is of rows of one run.
 */
final class Summary {
  /** The page, which the browser of a repository shows for its folder. */
  static final String PAGE = "README.md";

  private static final String PICTURE_NAME = "summary.svg";
  private static final String TITLE = "Five problems: two other solutions, and Offcut's";
  private static final String COMMAND = "./offcut bench all";

  /**
   * One line.
   *
   * @param what is measured, in what, and what is better
   * @param cells two other solutions and Offcut's: each a name and where its row is
   */
  private record Line(
      String suite, String what, String gc, String caseName, String metric, List<Cell> cells) {}

  /** A name for people, and the row's implementation. */
  private record Cell(String name, String impl) {}

  private static final List<Line> LINES =
      List.of(
          new Line(
              "handle",
              "Java: a program that opens and closes 10 million handles, elapsed ms",
              "G1",
              "finalization",
              "article_elapsed_ms",
              List.of(
                  new Cell("finalizer", "jdk-finalize"),
                  new Cell("JDK's Cleaner", "jdk-cleaner"),
                  new Cell("Offcut's handle", "offcut"))),
          new Line(
              "go",
              "Go: one malloc and free in C with a safety net, CPU, ns",
              "Go",
              "cgo_alloc_free_closed",
              "cpu_ns_per_op",
              List.of(
                  new Cell("SetFinalizer", "setfinalizer"),
                  new Cell("AddCleanup", "addcleanup"),
                  new Cell("Offcut's handle.Value", "offcut-pool"))),
          new Line(
              "objectstream",
              "Java: deserializing 100 objects in 20 nested lists, CPU, µs",
              "G1",
              "nest20_100",
              "cpu_us_per_op",
              List.of(
                  new Cell("JDK with a proposed fix", "guard-8246633-loader"),
                  new Cell("JDK", "stock"),
                  new Cell("JDK with Offcut's agent", "offcut-agent"))),
          new Line(
              "longmap",
              "Java: put and remove by address in a concurrent map, per ms; more is better",
              "G1",
              "add_remove",
              "ops_per_ms",
              List.of(
                  new Cell("ConcurrentHashMap", "jdk-chm"),
                  new Cell("Artemis' map", "artemis"),
                  new Cell("Offcut's map", "offcut"))),
          new Line(
              "replay",
              "Class loading: classes that fit before class space is full; more is better",
              "G1",
              "example2",
              "large_classes",
              List.of(
                  new Cell("fixed chunks, up to JDK 10", "fixed"),
                  new Cell("coalescing, JDK 11 to 15", "coalescing"),
                  new Cell("Offcut's pool", "buddy"))));

  private final Map<String, RunFile> runs = new TreeMap<>();

  private Summary(List<Section> sections) {
    for (Section section : sections) {
      RunFile run = section.outcome().run();
      if (run != null) {
        runs.put(section.outcome().suite(), run);
      }
    }
  }

  /** The page of it, with links to those of the suites. */
  static String of(List<Section> sections) {
    String pages =
        Stream.concat(
                sections.stream().map(section -> section.outcome().suite()),
                Stream.of(RuntimesTable.NAME))
            .map(name -> "[" + name + "](" + name + ".md)")
            .collect(Collectors.joining(", "));
    return "# Results\n\n"
        + new Summary(sections).block("")
        + "\nEach suite, with what its source published, its peers and its bars: "
        + pages
        + ".\nThe rows are in the `.json` files beside them; `"
        + COMMAND
        + " --from docs/results` regenerates the pages.\n";
  }

  /** Picture and table, for a page from which the folder of results is at {@code path}. */
  static String block(List<Section> sections, String path) {
    return new Summary(sections).block(path);
  }

  static Picture picture(List<Section> sections) {
    Summary summary = new Summary(sections);
    List<Group> groups = LINES.stream().map(summary::group).toList();
    return new Picture(PICTURE_NAME, TITLE, BarsPicture.of(TITLE, groups));
  }

  private String block(String path) {
    StringBuilder text = new StringBuilder();
    text.append("![").append(TITLE).append("](").append(path).append(PICTURE_NAME).append(")\n\n");
    text.append("| measured | other solution | other solution | Offcut |\n|---|---|---|---|\n");
    for (Line line : LINES) {
      text.append("| ").append(linked(line, path)).append(" |");
      for (Cell cell : line.cells()) {
        String figure = text(line, cell.impl());
        boolean ours = cell.equals(line.cells().getLast());
        text.append(' ').append(ours ? "**" + figure + "**" : figure);
        text.append(" (").append(cell.name()).append(") |");
      }
      text.append('\n');
    }
    return text.append('\n').append(made()).append('\n').toString();
  }

  private static String linked(Line line, String path) {
    return "[" + line.what() + "](" + path + line.suite() + ".md)";
  }

  /** The one command, machine and day, and whether it is but a first look. */
  private String made() {
    if (runs.isEmpty()) {
      return "Nothing was measured: `" + COMMAND + "` does.";
    }
    RunFile first = runs.values().iterator().next();
    boolean quick = runs.values().stream().anyMatch(RunFile::isQuick);
    List<String> days =
        runs.values().stream().map(run -> run.fact("time").split("T", 2)[0]).sorted().toList();
    String when =
        days.getFirst() + (days.getFirst().equals(days.getLast()) ? "" : " to " + days.getLast());
    String how =
        quick
            ? "**A first look**: rows of the quick form, in short rounds and smaller counts; `"
                + COMMAND
                + "` makes results: "
            : "`"
                + COMMAND
                + "` measures all of it; the linked pages name the benchmark cases.\nMeasured on ";
    return how
        + first.fact("cpu")
        + ", "
        + first.fact("cpus")
        + " CPUs, "
        + runtimes()
        + ", "
        + when
        + ".\nMedian of the rounds ± half the interquartile range.";
  }

  private String runtimes() {
    List<String> all = new ArrayList<>();
    for (RunFile run : runs.values()) {
      if (!all.contains(run.fact("runtime"))) {
        all.add(run.fact("runtime"));
      }
    }
    return String.join(", ", all);
  }

  private Group group(Line line) {
    List<Bar> bars = new ArrayList<>();
    for (Cell cell : line.cells()) {
      RunFile.Row row = row(line, cell.impl());
      boolean ours = cell.equals(line.cells().getLast());
      bars.add(
          new Bar(cell.name(), row == null ? null : row.value(), text(line, cell.impl()), ours));
    }
    return new Group(line.what(), bars);
  }

  private String text(Line line, String impl) {
    RunFile.Row row = row(line, impl);
    return row == null ? Cells.NONE : grouped(row.text());
  }

  /** Thousands apart: {@code 12345 ±67} as {@code 12,345 ±67}. */
  private static String grouped(String figure) {
    String[] parts = figure.split(" ", 2);
    if (!parts[0].matches("\\d{4,}")) {
      return figure;
    }
    String whole = String.format(Locale.ROOT, "%,d", Long.parseLong(parts[0]));
    return parts.length == 1 ? whole : whole + " " + parts[1];
  }

  private RunFile.@Nullable Row row(Line line, String impl) {
    RunFile run = runs.get(line.suite());
    return run == null
        ? null
        : run.find(
            new RunFile.Row.Key(
                line.caseName(), impl, 1, line.gc(), run.fact("runtime"), line.metric()));
  }
}
