package dev.offcut.replay.report;

import dev.offcut.replay.Result;
import dev.offcut.replay.Snapshot;
import dev.offcut.replay.space.SpaceKind;
import dev.offcut.replay.space.SpaceMap;
import dev.offcut.replay.space.Usage;
import dev.offcut.replay.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as aligned tables, with maps of class space below. */
public final class TextReport {
  private final Report report;
  private final StringBuilder text = new StringBuilder();

  private TextReport(Report report) {
    this.report = report;
  }

  /** {@code allMaps}: also those at the marks of the trace, and of the other space. */
  public static String of(Report report, boolean allMaps) {
    TextReport text = new TextReport(report);
    text.head();
    text.classSpace();
    text.nonClass();
    text.failures();
    text.maps(allMaps);
    return text.text.toString();
  }

  private void head() {
    line(
        "%s, class space %s%s",
        report.trace().name(),
        Sizes.ofBytes(report.classSpaceBytes()),
        report.survivors() == 0
            ? ""
            : ", every " + Ordinal.of(report.survivors()) + " closed arena stays");
    if (report.trace().estimate() != null) {
      line("sizes are estimates%s", estimate(report.trace()));
    }
    line("");
  }

  /** How good the sizes of a recorded trace are; empty if they are not estimates. */
  public static String estimate(Trace trace) {
    Trace.Estimate estimate = trace.estimate();
    if (estimate == null) {
      return "";
    }
    return format(
        ": %,d classes, %,d without a class file; estimated at %s where the JVM says %s, %+.1f %%",
        estimate.classes(),
        estimate.withoutFile(),
        Sizes.ofBytes(estimate.estimatedBytes()),
        Sizes.ofBytes(estimate.measuredBytes()),
        estimate.errorPercent());
  }

  private void classSpace() {
    Table table = new Table();
    List<String> names = new ArrayList<>(List.of("class space"));
    if (report.groups().isEmpty()) {
      names.add("classes");
    }
    report.groups().forEach(group -> names.add(group + " classes"));
    names.addAll(
        List.of("handed out", "used", "alignment at most", "free " + when(), "largest free"));
    table.add(names);
    report.results().forEach(result -> table.add(classSpace(result)));
    text.append(table.text()).append('\n');
  }

  private String when() {
    boolean failed = report.results().stream().allMatch(result -> result.failure() != null);
    return failed ? "at failure" : "at the end";
  }

  private List<String> classSpace(Result result) {
    Usage usage = result.last().classSpace().usage();
    List<String> row = new ArrayList<>(List.of(result.policy()));
    if (report.groups().isEmpty()) {
      row.add(format("%,d", result.classes()));
    }
    for (String group : report.groups()) {
      row.add(format("%,d", result.classesByGroup().getOrDefault(group, 0L)));
    }
    row.add(format("%.1f %%", usage.percent(usage.handedOut())));
    row.add(format("%.1f %%", usage.percent(usage.used())));
    row.add(Sizes.ofWords(usage.alignmentMax()));
    row.add(Sizes.ofWords(usage.free()));
    row.add(Sizes.ofWords(usage.largestFree()));
    return row;
  }

  /** What ended a replay that the trace did not want to end there. */
  private void failures() {
    for (Result result : report.results()) {
      Result.Failure failure = result.failure();
      if (failure != null && !failure.expected()) {
        boolean inClassSpace = failure.space() == SpaceKind.CLASS;
        String where = inClassSpace ? "class space" : "the space outside it";
        line("%s: %s was full at line %d of the trace", result.policy(), where, failure.line());
      }
    }
  }

  private void nonClass() {
    Table table = new Table();
    table.add(
        List.of(
            "outside class space",
            "reserved",
            "committed",
            "handed out",
            "used",
            "alignment at most",
            "free"));
    for (Result result : report.results()) {
      Usage usage = result.last().nonClass().usage();
      table.add(
          List.of(
              result.policy(),
              Sizes.ofWords(usage.capacity()),
              Sizes.ofWords(usage.committed()),
              Sizes.ofWords(usage.handedOut()),
              Sizes.ofWords(usage.used()),
              Sizes.ofWords(usage.alignmentMax()),
              Sizes.ofWords(usage.free())));
    }
    text.append(table.text());
  }

  private void maps(boolean all) {
    for (Result result : report.results()) {
      line("");
      for (Snapshot snapshot : all ? result.snapshots() : List.of(result.last())) {
        map(result.policy() + ", " + snapshot.name(), snapshot.classSpace().map());
        if (all) {
          map(result.policy() + ", outside, " + snapshot.name(), snapshot.nonClass().map());
        }
      }
    }
    line("  %s", TextMap.LEGEND);
  }

  private void map(String title, SpaceMap map) {
    line("%s; a cell is %s", title, Sizes.ofWords(TextMap.cellWords(map)));
    text.append(TextMap.of(map, "  "));
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  private void line(String format, Object... arguments) {
    text.append(format(format, arguments)).append('\n');
  }

  @SuppressWarnings("AnnotateFormatMethod") // as above
  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
