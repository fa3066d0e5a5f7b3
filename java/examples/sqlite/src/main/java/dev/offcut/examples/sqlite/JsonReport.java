package dev.offcut.examples.sqlite;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report as one JSON object, {@code offcut.run/1}: members are added, never changed. */
final class JsonReport {
  static final String SCHEMA = "offcut.run/1";

  private JsonReport() {}

  static String of(Report report) {
    Report.Setting setting = report.setting();
    return Json.of(
            object(
                "schema", SCHEMA,
                "sqlite", setting.sqlite(),
                "source", setting.source(),
                "database", setting.database(),
                "forget", (double) setting.forget().parts() / Share.WHOLE,
                "threads", setting.threads(),
                "seed", setting.seed(),
                "detection", report.statements().after().level().name().toLowerCase(Locale.ROOT),
                "interrupted", report.interrupted(),
                "import", imported(report.imported()),
                "queries", asked(report),
                "statements", statements(report),
                "leaks", report.statements().leaking().stream().map(JsonReport::leak).toList(),
                "leak_report", report.statements().after().leakReport()))
        + "\n";
  }

  private static Map<String, @Nullable Object> imported(Import.Outcome imported) {
    return object(
        "rows", imported.rows(),
        "committed", imported.committed(),
        "seconds", imported.nanos() / 1e9,
        "rows_per_s", Report.rate(imported.rows(), imported.nanos()));
  }

  private static Map<String, @Nullable Object> asked(Report report) {
    QueryCounts counts = report.asked().counts();
    long nanos = report.asked().nanos();
    return object(
        "asked",
        report.setting().queries(),
        "run",
        counts.statements,
        "wrong",
        counts.wrong,
        "checksum",
        String.format("%016x", counts.checksum),
        "seconds",
        nanos / 1e9,
        "statements_per_s",
        Report.rate(counts.statements, nanos),
        "wall_ns_per_statement",
        report.perStatement(nanos),
        "cpu_ns_per_statement",
        counts.cpuNanos == 0 ? null : report.perStatement(counts.cpuNanos),
        "rows",
        counts.rows,
        "rows_per_s",
        Report.rate(counts.rows, nanos));
  }

  private static Map<String, @Nullable Object> statements(Report report) {
    Report.StatementCounts statements = report.statements();
    return object(
        "opened", statements.opened(),
        "closed", statements.closed(),
        "forgotten", statements.forgotten(),
        "open", statements.open(),
        "open_in_sqlite", statements.inSqlite(),
        "dropped", report.asked().counts().dropped,
        "drained", statements.drained(),
        "drain_seconds", statements.drainNanos() / 1e9);
  }

  private static Map<String, @Nullable Object> leak(OfType type) {
    return object(
        "type", type.name(),
        "forgotten", type.forgotten(),
        "opened", type.opened(),
        "sites", type.sites().entrySet().stream().map(JsonReport::site).toList());
  }

  private static Map<String, @Nullable Object> site(Map.Entry<List<StackTraceElement>, Long> site) {
    return object(
        "recorded", site.getValue(),
        "frames", site.getKey().stream().map(StackTraceElement::toString).toList());
  }

  /** Keys and values in turn; the order stays. */
  private static Map<String, @Nullable Object> object(@Nullable Object... members) {
    Map<String, @Nullable Object> object = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      object.put(String.valueOf(members[i]), members[i + 1]);
    }
    return object;
  }
}
