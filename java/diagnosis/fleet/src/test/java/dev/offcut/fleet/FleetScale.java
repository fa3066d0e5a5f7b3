package dev.offcut.fleet;

import dev.offcut.fleet.duckdb.DuckDbEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A measurement by hand: a fleet of so many JVMs that ran a day, of which all figures are known by
 * a formula, and how long the questions of the report take. {@code FleetScale FOLDER JVMS}.
 */
final class FleetScale {
  private static final int WINDOWS = 8640;
  private static final int BATCH = 50;
  private static final long DAY_MS = 86_400_000L;
  private static final long START_MS = 1_790_035_200_000L; // a midnight
  private static final List<String> NAMES =
      List.of(
          "kind arena.confined",
          "kind arena.shared",
          "kind buffer.direct",
          "kind unsafe",
          "process resident",
          "process heap",
          "part Java heap, used",
          "part metaspace",
          "part code cache",
          "part thread stacks",
          "part malloc, in use",
          "part native libraries");
  private static final int KINDS = 4;
  private static final int LINES = 40;

  private FleetScale() {}

  /** What the rows are made of: the same in SQL. */
  private static long figure(long jvm, long window, long name) {
    return (jvm * 7919 + window * 104_729 + name * 1_299_709) % 1_000_003;
  }

  private static final String FIGURE = "((jvm * 7919 + win * 104729 + nr * 1299709) % 1000003)";

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int jvms = Integer.parseInt(args[1]);
    Fleet fleet = Fleet.openOrMake(folder.toString());
    long began = System.nanoTime();
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute("SET memory_limit = '1500MB'");
      statement.execute("SET temp_directory = '" + folder.resolveSibling("scale-spill") + "'");
      for (int first = 0; first < jvms; first += BATCH) {
        batch(folder, fleet, statement, first, Math.min(jvms, first + BATCH));
      }
    }
    System.out.printf("made in %.1f s%n", (System.nanoTime() - began) / 1e9);
    ask(fleet, jvms);
  }

  private static String source(String jvm) {
    return "md5('source ' || " + jvm + ")";
  }

  private static void batch(Path folder, Fleet fleet, Statement statement, int first, int end)
      throws Exception {
    String service = "service-" + first / BATCH % 5;
    LocalDate day = Fleet.date(START_MS);
    String target =
        fleet.nameOf(new TreeSet<>(IntStream.range(first, end).mapToObj(String::valueOf).toList()));
    String names =
        IntStream.range(0, NAMES.size())
            .mapToObj(
                i -> {
                  String[] words = NAMES.get(i).split(" ", 2);
                  return "(" + i + ", '" + words[0] + "', '" + words[1] + "')";
                })
            .collect(Collectors.joining(", "));
    String who =
        source("jvm")
            + " AS source, substr(md5('process ' || jvm), 1, 16) AS process, 'host-' || (jvm // 4) AS host";
    String version = "'1.' || (jvm % 2) AS version";
    String kind = "what = 'kind'";
    write(
        folder.resolve(Fleet.file(FleetTable.WINDOWS, day, service, target)),
        statement,
        "SELECT "
            + who
            + ", "
            + version
            + ", "
            + START_MS
            + " + win * 10000 AS start_ms, 10000::BIGINT AS length_ms, what, name,"
            + " CASE WHEN "
            + kind
            + " THEN f % 60 ELSE 0 END AS opened,"
            + " CASE WHEN "
            + kind
            + " THEN f % 50 ELSE 0 END AS closed,"
            + " CASE WHEN "
            + kind
            + " THEN f % 5 ELSE 0 END AS collected,"
            + " CASE WHEN "
            + kind
            + " AND f % 500 = 0 THEN 1 ELSE 0 END::BIGINT AS lost, 0::BIGINT AS forgotten,"
            + " CASE WHEN "
            + kind
            + " THEN f % 60 * 4096 ELSE 0 END AS opened_bytes,"
            + " CASE WHEN "
            + kind
            + " AND f % 500 = 0 THEN 4096 ELSE 0 END::BIGINT AS lost_bytes,"
            + " CASE WHEN "
            + kind
            + " THEN f % 1000 END AS open, f % 4096 * 4096 AS bytes, f % 4096 * 4096 + 4096 AS peak"
            + " FROM (SELECT *, "
            + FIGURE
            + " AS f FROM range("
            + first
            + ", "
            + end
            + ") AS j(jvm), range("
            + WINDOWS
            + ") AS w(win), (VALUES "
            + names
            + ") AS n(nr, what, name)) ORDER BY what, name, process, start_ms");
    write(
        folder.resolve(Fleet.file(FleetTable.SITES, day, service, target)),
        statement,
        "SELECT "
            + who
            + ", "
            + version
            + ", "
            + START_MS
            + " AS start_ms, "
            + DAY_MS
            + " AS length_ms, 'kind' AS what, 'unsafe' AS name,"
            + " substr(md5('stack ' || line), 1, 16) AS stack, 'com.acme.C' || line || '.load(C.java:1)' AS line, 1000::BIGINT AS opened,"
            + " 900::BIGINT AS closed, 0::BIGINT AS collected, line AS lost, 0::BIGINT AS forgotten, 100 - line AS open,"
            + " (100 - line) * 4096 AS bytes, line * 4096 AS lost_bytes, 10::BIGINT AS samples, false AS exact, 1::BIGINT AS open_margin,"
            + " 1::BIGINT AS bytes_margin, 1::BIGINT AS lost_margin, 1::BIGINT AS lost_bytes_margin"
            + " FROM range("
            + first
            + ", "
            + end
            + ") AS j(jvm), range("
            + LINES
            + ") AS l(line)");
    write(
        folder.resolve(Fleet.file(FleetTable.PROCESSES, day, service, target)),
        statement,
        "SELECT "
            + who
            + ", jvm AS pid, "
            + START_MS
            + " AS start_ms, "
            + (START_MS + DAY_MS)
            + " AS until_ms, "
            + version
            + ", 'com.acme.Main' AS main, 'com.acme.Main' AS command, '25' AS jdk, 'sample' AS level, 128::BIGINT AS sample_every,"
            + " true AS complete, 'by itself' AS ending, 'run' AS origin, 'x' AS name, "
            + WINDOWS * NAMES.size()
            + "::BIGINT AS windows, 0::BIGINT AS added_ms, 1::BIGINT AS schema FROM range("
            + first
            + ", "
            + end
            + ") AS j(jvm)");
  }

  private static void write(Path file, Statement statement, String select) throws Exception {
    Files.createDirectories(file.getParent());
    statement.execute(
        "COPY ("
            + select
            + ") TO '"
            + file
            + "' (FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION V2)");
  }

  private static void ask(Fleet fleet, int jvms) throws Exception {
    long bytes = 0;
    for (FleetTable table : FleetTable.values()) {
      bytes += fleet.files(table).stream().mapToLong(Fleet.Held::bytes).sum();
    }
    System.out.printf("%.1f MB on disk, %.3f MB a JVM and day%n", bytes / 1e6, bytes / 1e6 / jvms);
    try (DuckDbEngine engine = DuckDbEngine.open()) {
      long began = System.nanoTime();
      Census.open(fleet, engine);
      System.out.printf("opened in %.2f s%n", (System.nanoTime() - began) / 1e9);
      long[] sums = new long[5];
      for (long jvm = 0; jvm < jvms; jvm++) {
        for (long window = 0; window < WINDOWS; window++) {
          for (long name = 0; name < KINDS; name++) {
            long f = figure(jvm, window, name);
            sums[0] += f % 60;
            sums[1] += f % 50;
            sums[2] += f % 5;
            sums[3] += f % 500 == 0 ? 1 : 0;
            sums[4] += f % 500 == 0 ? 4096 : 0;
          }
        }
      }
      List<?> told =
          engine
              .query(
                  "SELECT sum(opened), sum(closed), sum(collected), sum(lost), sum(lost_bytes), count(*) FROM windows")
              .rows()
              .getFirst();
      boolean same = IntStream.range(0, 5).allMatch(i -> told.get(i).equals(sums[i]));
      System.out.println(
          "sums "
              + told
              + (same
                  ? " are exact"
                  : " ARE WRONG, not " + List.of(sums[0], sums[1], sums[2], sums[3], sums[4])));
      Map<String, Object> values = Map.of("top", 20, "since", "2026-09-22", "bucket", 1_800_000L);
      for (String name : FleetReport.SECTIONS) {
        for (int turn = 1; turn <= 2; turn++) {
          began = System.nanoTime();
          int rows = engine.query(new Question(name).sql(values)).rows().size();
          System.out.printf(
              "%s, turn %d: %.2f s, %d rows%n",
              name, turn, (System.nanoTime() - began) / 1e9, rows);
        }
      }
    }
  }
}
