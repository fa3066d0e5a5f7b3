package dev.offcut.examples.sqlite;

import dev.offcut.handle.Detection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as an aligned table, with the leak report after it. */
final class TextReport {
  private record Line(String label, String figure, String note) {}

  private final List<Line> lines = new ArrayList<>();

  private TextReport() {}

  static String of(Report report) {
    TextReport text = new TextReport();
    text.imported(report);
    text.asked(report);
    text.statements(report);
    String leaks = report.statements().after().leakReport();
    return head(report) + "\n" + text.table() + (leaks.isEmpty() ? "" : "\n" + leaks);
  }

  private static String head(Report report) {
    Report.Setting setting = report.setting();
    String where = setting.database().equals(":memory:") ? "in memory" : setting.database();
    String head =
        format(
            "SQLite %s, %s; rows %s; queries in %s; seed %d\n",
            setting.sqlite(),
            where,
            setting.source().equals("generated") ? "generated" : "from " + setting.source(),
            setting.threads() == 1 ? "1 thread" : setting.threads() + " threads",
            setting.seed());
    return report.interrupted() ? head + "interrupted: this is what was done so far\n" : head;
  }

  private void imported(Report report) {
    Import.Outcome imported = report.imported();
    String note =
        format(
            "in %.2f s, %,.0f per s%s",
            imported.nanos() / 1e9,
            Report.rate(imported.rows(), imported.nanos()),
            imported.committed() ? "" : "; interrupted, so rolled back");
    add("rows imported", imported.rows(), note);
  }

  private void asked(Report report) {
    QueryCounts counts = report.asked().counts();
    long nanos = report.asked().nanos();
    String seconds = format("in %.2f s, ", nanos / 1e9);
    add("statements run", counts.statements, seconds + perSecond(counts.statements, nanos));
    add("rows read", counts.rows, perSecond(counts.rows, nanos));
    add("ns per statement", Math.round(report.perStatement(nanos)), "wall");
    if (counts.cpuNanos > 0) {
      add("", Math.round(report.perStatement(counts.cpuNanos)), "CPU");
    }
    add("answers wrong", counts.wrong, format("checksum %016x", counts.checksum));
  }

  private static String perSecond(long count, long nanos) {
    return format("%,.0f per s", Report.rate(count, nanos));
  }

  private void statements(Report report) {
    Report.StatementCounts statements = report.statements();
    lines.add(new Line("", "", ""));
    boolean off = statements.after().level() == Detection.OFF;
    boolean whole =
        statements.opened() == statements.closed() + statements.forgotten() + statements.open();
    String sum = whole ? "= closed + forgotten + open" : "";
    add("statements opened", statements.opened(), off ? "inexact: detection is off" : sum);
    add("closed", statements.closed(), "");
    add("forgotten", statements.forgotten(), reclaimed(report));
    add("open", statements.open(), "");
    add("open in SQLite", statements.inSqlite(), "");
  }

  private static String reclaimed(Report report) {
    Report.StatementCounts statements = report.statements();
    long dropped = report.asked().counts().dropped;
    if (dropped == 0 && statements.forgotten() == 0) {
      return "";
    }
    String note = format("and released by the safety net; %,d were dropped", dropped);
    return statements.drained()
        ? note
        : note + format("; the rest was not found in %.0f s", statements.drainNanos() / 1e9);
  }

  private void add(String label, long figure, String note) {
    lines.add(new Line(label, format("%,d", figure), note));
  }

  private String table() {
    int label = lines.stream().mapToInt(line -> line.label().length()).max().orElse(0);
    int figure = lines.stream().mapToInt(line -> line.figure().length()).max().orElse(0);
    StringBuilder out = new StringBuilder();
    for (Line line : lines) {
      String padded =
          format("%" + label + "s  %" + figure + "s  ", line.label(), line.figure()) + line.note();
      out.append(padded.stripTrailing()).append('\n');
    }
    return out.toString();
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }
}
