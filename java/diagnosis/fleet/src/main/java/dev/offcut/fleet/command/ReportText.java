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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report of a fleet, and the answers of queries, as text. */
final class ReportText {
  /** Of each list. */
  static final int MOST_ROWS = 20;

  private static final String GAP = "  ";

  /** Of a margin: whatever there is. */
  private static final long MAX = Long.MAX_VALUE;

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
        count("JVMs", "processes"),
        tenths("hours", "hours"),
        word("what", "side"));
    limits(
        "\nLimits of these figures, by processes before and after:",
        diff.limits(),
        row -> count(row, "processes_before") + " and " + count(row, "processes_after"));
    section(
        "Kinds that lose",
        diff.kinds(),
        count("lost before", "lost_before"),
        count("after", "lost_after"),
        rate("bytes before", "bytes_per_hour_before"),
        rate("after", "bytes_per_hour_after"),
        word("kind", "name"));
    section(
        "Lines that lose",
        diff.lines(),
        word("change", "change"),
        count("lost before", "lost_before"),
        count("after", "lost_after"),
        rate("bytes before", "bytes_per_hour_before"),
        rate("after", "bytes_per_hour_after"),
        word("kind", "name"),
        word("service", "service"),
        word("line", "line"));
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

  private void write(FleetReport report) {
    Row summary = new Row(report.summary(), 0);
    if (summary.number("processes") == 0) {
      text.append("The fleet has no processes yet; `offcut fleet add` adds some.\n");
      return;
    }
    text.append(
        "%s of %s on %s, from %s to %s\n"
            .formatted(
                processes(summary.number("processes")),
                Figures.count(summary.number("services"), "service"),
                Figures.count(summary.number("hosts"), "host"),
                time(summary.number("first_ms")),
                time(summary.number("last_ms"))));
    if (summary.number("incomplete") > 0) {
      text.append(
          Figures.count(summary.number("incomplete"))
              + " of them lack their end, most likely since they were killed: their counts may be a second short.\n");
    }
    limits(
        "Limits of these figures:",
        report.section("limits"),
        row -> processes(row.number("processes")));
    section(
        "Lines that lose most",
        report.section("lines"),
        Column.of("lost", row -> Figures.count(row.number("lost"), margin(row, "lost"), MAX)),
        Column.of("", ReportText::lostBytes),
        count("collected", "collected"),
        count("forgotten", "forgotten"),
        bytes("held", "bytes"),
        count("JVMs", "processes"),
        word("since", "first_version"),
        word("kind", "name"),
        word("service", "service"),
        word("line", "line"));
    section(
        "New since " + report.since(),
        report.section("fresh"),
        count("lost", "lost"),
        bytes("", "lost_bytes"),
        count("forgotten", "forgotten"),
        count("JVMs", "processes"),
        word("version", "first_version"),
        word("kind", "name"),
        word("service", "service"),
        word("line", "line"));
    section(
        "Kinds",
        report.section("kinds"),
        count("opened", "opened"),
        count("closed", "closed"),
        count("collected", "collected"),
        count("lost", "lost"),
        bytes("", "lost_bytes"),
        count("forgotten", "forgotten"),
        count("open", "open"),
        new Column("kind", true, ReportText::kind));
    section(
        "Services",
        report.section("services"),
        count("JVMs", "processes"),
        count("hosts", "hosts"),
        tenths("hours", "hours"),
        count("lost", "lost"),
        bytes("", "lost_bytes"),
        count("forgotten", "forgotten"),
        word("version", "version"),
        word("service", "service"));
    section(
        "Hosts",
        report.section("hosts"),
        count("JVMs", "processes"),
        count("lost", "lost"),
        bytes("", "lost_bytes"),
        count("forgotten", "forgotten"),
        bytes("most resident", "most_resident"),
        word("host", "host"));
    section(
        "What grows",
        report.section("growth"),
        rate("an hour", "bytes_per_hour"),
        bytes("from", "first_bytes"),
        bytes("to", "last_bytes"),
        tenths("hours", "hours"),
        word("what", "name"),
        word("version", "version"),
        word("host", "host"),
        word("service", "service"));
  }

  /**
   * A column of a section.
   *
   * @param isWord whether it begins at the left, if no figures come behind it
   */
  private record Column(String head, boolean isWord, Function<Row, String> text) {
    static Column of(String head, Function<Row, String> text) {
      return new Column(head, false, text);
    }
  }

  private static Column word(String head, String column) {
    return new Column(head, true, row -> row.text(column));
  }

  private static Column count(String head, String column) {
    return Column.of(head, row -> count(row, column));
  }

  private static Column bytes(String head, String column) {
    return Column.of(head, row -> row.isNull(column) ? "-" : Figures.bytes(row.number(column)));
  }

  private static Column rate(String head, String column) {
    return Column.of(head, row -> Figures.bytes(Math.round(row.decimal(column))));
  }

  private static Column tenths(String head, String column) {
    return Column.of(
        head,
        row -> {
          long tenths = Math.round(row.decimal(column) * 10);
          return Figures.count(tenths / 10) + "." + tenths % 10;
        });
  }

  private static String count(Row row, String column) {
    return Figures.count(row.number(column));
  }

  static String processes(long count) {
    return Figures.count(count) + (count == 1 ? " process" : " processes");
  }

  private static long margin(Row row, String column) {
    return row.number(column + "_margin");
  }

  private static String lostBytes(Row row) {
    return row.isNull("lost_bytes")
        ? "-"
        : Figures.bytes(row.number("lost_bytes"), margin(row, "lost_bytes"), MAX);
  }

  private static String kind(Row row) {
    return row.text("name") + (row.text("what").equals("native") ? " (estimated)" : "");
  }

  private void section(String title, Engine.Answer answer, Column... columns) {
    text.append('\n').append(title).append('\n');
    if (answer.rows().isEmpty()) {
      text.append("  none of what was tracked\n");
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    lines.add(Stream.of(columns).map(Column::head).toList());
    for (int i = 0; i < answer.rows().size(); i++) {
      Row row = new Row(answer, i);
      lines.add(Stream.of(columns).map(column -> column.text.apply(row)).toList());
    }
    int figures = columns.length;
    while (figures > 0 && columns[figures - 1].isWord) {
      figures--;
    }
    text.append(aligned(lines, figures));
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
