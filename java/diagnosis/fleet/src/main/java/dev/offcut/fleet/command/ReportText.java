package dev.offcut.fleet.command;

import dev.offcut.command.read.Figures;
import dev.offcut.command.show.Table;
import dev.offcut.fleet.Engine;
import dev.offcut.fleet.FleetDiff;
import dev.offcut.fleet.FleetReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The report of a fleet, and the answers of queries, as text. */
final class ReportText {
  /** Of each list. */
  static final int MOST_ROWS = 20;

  private static final String GAP = "  ";

  private final StringBuilder text = new StringBuilder();

  private ReportText() {}

  static String of(FleetReport report) {
    ReportText made = new ReportText();
    made.write(report);
    return made.text.toString();
  }

  static String of(FleetDiff diff) {
    ReportText made = new ReportText();
    made.write(diff);
    return made.text.toString();
  }

  private void write(FleetDiff diff) {
    text.append("From " + diff.from() + " to " + diff.to() + "; bytes are per hour of a process\n");
    section(
        "Processes",
        diff.sides(),
        List.of("JVMs", "hours", "what"),
        row -> List.of(count(row, "processes"), tenths(row.decimal("hours")), row.text("side")));
    limits(
        "\nLimits of these figures, by processes before and after:",
        diff.limits(),
        row -> count(row, "processes_before") + " and " + count(row, "processes_after"));
    section(
        "Kinds that lose",
        diff.kinds(),
        List.of("lost before", "after", "bytes before", "after", "kind"),
        row ->
            List.of(
                count(row, "lost_before"),
                count(row, "lost_after"),
                rate(row, "bytes_per_hour_before"),
                rate(row, "bytes_per_hour_after"),
                row.text("name")));
    section(
        "Lines that lose",
        diff.lines(),
        List.of(
            "change", "lost before", "after", "bytes before", "after", "kind", "service", "line"),
        row ->
            List.of(
                row.text("change"),
                count(row, "lost_before"),
                count(row, "lost_after"),
                rate(row, "bytes_per_hour_before"),
                rate(row, "bytes_per_hour_after"),
                row.text("name"),
                row.text("service"),
                row.text("line")));
  }

  /** What was not seen stands before what was: without it, "none" would be a clean bill. */
  private void limits(String title, Engine.Answer limits, Function<Row, String> processes) {
    if (!limits.rows().isEmpty()) {
      text.append(title + "\n");
    }
    for (int i = 0; i < limits.rows().size(); i++) {
      Row row = new Row(limits, i);
      String where =
          row.number("services") == 1
              ? row.text("service")
              : Figures.count(row.number("services"), "service");
      text.append(GAP + processes.apply(row) + " of " + where + ": " + row.text("sentence") + "\n");
    }
  }

  private static String rate(Row row, String column) {
    return Figures.bytes(Math.round(row.decimal(column)));
  }

  private void write(FleetReport report) {
    Row summary = new Row(report.summary(), 0);
    if (summary.number("processes") == 0) {
      text.append("The fleet has no processes yet; `offcut fleet add` adds some.\n");
      return;
    }
    text.append(
        Figures.count(summary.number("processes"))
            + (summary.number("processes") == 1 ? " process" : " processes")
            + " of "
            + Figures.count(summary.number("services"), "service")
            + " on "
            + Figures.count(summary.number("hosts"), "host")
            + ", from "
            + time(summary.number("first_ms"))
            + " to "
            + time(summary.number("last_ms"))
            + "\n");
    if (summary.number("incomplete") > 0) {
      text.append(
          Figures.count(summary.number("incomplete"))
              + " of them lack their end, most likely since they were killed: their counts may be a second short.\n");
    }
    limits(
        "Limits of these figures:",
        report.section("limits"),
        row ->
            count(row, "processes") + (row.number("processes") == 1 ? " process" : " processes"));
    section(
        "Lines that lose most",
        report.section("lines"),
        List.of(
            "lost",
            "",
            "collected",
            "forgotten",
            "held",
            "JVMs",
            "since",
            "kind",
            "service",
            "line"),
        row ->
            List.of(
                margin(row, "lost"),
                bytesWithMargin(row, "lost_bytes"),
                count(row, "collected"),
                count(row, "forgotten"),
                bytes(row, "bytes"),
                count(row, "processes"),
                row.text("first_version"),
                row.text("name"),
                row.text("service"),
                row.text("line")));
    section(
        "New since " + report.since(),
        report.section("fresh"),
        List.of("lost", "", "forgotten", "JVMs", "version", "kind", "service", "line"),
        row ->
            List.of(
                count(row, "lost"),
                bytes(row, "lost_bytes"),
                count(row, "forgotten"),
                count(row, "processes"),
                row.text("first_version"),
                row.text("name"),
                row.text("service"),
                row.text("line")));
    section(
        "Kinds",
        report.section("kinds"),
        List.of("opened", "closed", "collected", "lost", "", "forgotten", "open", "kind"),
        row ->
            List.of(
                count(row, "opened"),
                count(row, "closed"),
                count(row, "collected"),
                count(row, "lost"),
                bytes(row, "lost_bytes"),
                count(row, "forgotten"),
                count(row, "open"),
                row.text("name") + (row.text("what").equals("native") ? " (estimated)" : "")));
    section(
        "Services",
        report.section("services"),
        List.of("JVMs", "hosts", "hours", "lost", "", "forgotten", "version", "service"),
        row ->
            List.of(
                count(row, "processes"),
                count(row, "hosts"),
                tenths(row.decimal("hours")),
                count(row, "lost"),
                bytes(row, "lost_bytes"),
                count(row, "forgotten"),
                row.text("version"),
                row.text("service")));
    section(
        "Hosts",
        report.section("hosts"),
        List.of("JVMs", "lost", "", "forgotten", "most resident", "host"),
        row ->
            List.of(
                count(row, "processes"),
                count(row, "lost"),
                bytes(row, "lost_bytes"),
                count(row, "forgotten"),
                bytes(row, "most_resident"),
                row.text("host")));
    section(
        "What grows",
        report.section("growth"),
        List.of("an hour", "from", "to", "hours", "what", "version", "host", "service"),
        row ->
            List.of(
                rate(row, "bytes_per_hour"),
                bytes(row, "first_bytes"),
                bytes(row, "last_bytes"),
                tenths(row.decimal("hours")),
                row.text("name"),
                row.text("version"),
                row.text("host"),
                row.text("service")));
  }

  /** Makes the cells of a line. */
  private interface Cells {
    List<String> of(Row row);
  }

  private void section(String title, Engine.Answer answer, List<String> head, Cells cells) {
    text.append('\n').append(title).append('\n');
    if (answer.rows().isEmpty()) {
      text.append("  none of what was tracked\n");
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    lines.add(head);
    for (int i = 0; i < answer.rows().size(); i++) {
      lines.add(cells.of(new Row(answer, i)));
    }
    text.append(aligned(lines, head.size() - words(head)));
  }

  /** How many columns at the end are words: they begin at the left. */
  private static int words(List<String> head) {
    int first = head.size();
    while (first > 0
        && List.of("since", "version", "kind", "service", "line", "host", "what")
            .contains(head.get(first - 1))) {
      first--;
    }
    return head.size() - first;
  }

  /** Columns from {@code words} on begin at the left, the others end at the right. */
  private static String aligned(List<List<String>> lines, int words) {
    Table table = Table.ofFigures(words);
    lines.forEach(table::add);
    StringBuilder text = new StringBuilder();
    table.lines().forEach(line -> text.append(GAP).append(line).append('\n'));
    return text.toString();
  }

  /** An answer as a table; a null is a dash. */
  static String table(Engine.Answer answer) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(answer.columns());
    for (List<@Nullable Object> row : answer.rows()) {
      lines.add(
          row.stream()
              .map(value -> value == null ? "-" : value.toString().replace("\n", " ← "))
              .toList());
    }
    return aligned(lines, 0);
  }

  private static String count(Row row, String column) {
    return Figures.count(row.number(column));
  }

  private static String bytes(Row row, String column) {
    return row.isNull(column) ? "-" : Figures.bytes(row.number(column));
  }

  private static String margin(Row row, String column) {
    return Figures.count(row.number(column), row.number(column + "_margin"), Long.MAX_VALUE);
  }

  private static String bytesWithMargin(Row row, String column) {
    return row.isNull(column)
        ? "-"
        : Figures.bytes(row.number(column), row.number(column + "_margin"), Long.MAX_VALUE);
  }

  private static String tenths(double number) {
    long tenths = Math.round(number * 10);
    return Figures.count(tenths / 10) + "." + tenths % 10;
  }

  private static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString().substring(0, 16).replace('T', ' ') + " UTC";
  }

  /** A row of an answer, by the names of its columns. */
  private record Row(Engine.Answer answer, int at) {
    private @Nullable Object value(String column) {
      int index = answer.columns().indexOf(column);
      if (index < 0) {
        throw new IllegalArgumentException("there is no column " + column);
      }
      return answer.rows().get(at).get(index);
    }

    boolean isNull(String column) {
      return value(column) == null;
    }

    long number(String column) {
      return value(column) instanceof Number number ? number.longValue() : 0;
    }

    double decimal(String column) {
      return value(column) instanceof Number number ? number.doubleValue() : 0;
    }

    String text(String column) {
      Object value = value(column);
      return value == null ? "-" : value.toString();
    }
  }
}
