package dev.offcut.fleet;

import dev.offcut.command.read.Fields;
import dev.offcut.command.read.Outside;
import dev.offcut.command.read.RunArchive;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A process that never ran, of which everything is known: counters of some kinds at times, made of
 * a seed.
 */
final class GivenProcess {
  static final List<String> KINDS =
      List.of("arena.confined", "buffer.direct", "unsafe", "closeable:com.acme.Order");

  private static final List<String> STATISTICS =
      schema(
          "offcut.ResourceStatistics",
          "kind text, opened long, closed long, collected long, lost long, open long, bytes long,"
              + " openedBytes long, lostBytes long, peakBytes long, proof text");

  private static final List<String> SITE =
      schema(
          "offcut.ResourceSite",
          "kind text, site text, line long, through text, opened long, closed long, collected long,"
              + " lost long, open long, bytes long, lostBytes long, samples long");

  /** As {@link GivenTables#table} takes it; the columns with commas between them. */
  private static List<String> schema(String name, String columns) {
    return List.of((name + ", " + columns).split(", ", -1));
  }

  /** What was counted of a kind until a time. */
  record Counts(
      String kind,
      long opened,
      long closed,
      long collected,
      long lost,
      long openedBytes,
      long lostBytes,
      long peakBytes) {
    static Counts none(String kind) {
      return new Counts(kind, 0, 0, 0, 0, 0, 0, 0);
    }

    long open() {
      return opened - closed - collected - lost;
    }

    /** Each has 1,000 bytes, if its bytes are known. */
    long bytes() {
      return kind.startsWith("closeable:") ? 0 : open() * 1000;
    }

    Counts after(Random random) {
      long more = random.nextInt(20);
      long ends = Math.min(open() + more, random.nextInt(20));
      long close = ends == 0 ? 0 : random.nextLong(ends + 1);
      long collect = ends - close == 0 ? 0 : random.nextLong(ends - close + 1);
      long lose = ends - close - collect;
      long size = kind.startsWith("closeable:") ? 0 : 1000;
      long peak = Math.max(peakBytes, (open() + more) * size);
      return new Counts(
          kind,
          opened + more,
          closed + close,
          collected + collect,
          lost + lose,
          openedBytes + more * size,
          lostBytes + lose * size,
          peak);
    }

    Object[] row() {
      return new Object[] {
        kind,
        opened,
        closed,
        collected,
        lost,
        open(),
        bytes(),
        openedBytes,
        lostBytes,
        peakBytes,
        "full"
      };
    }
  }

  /** What an event tells. */
  record Told(String name, Instant time, Map<String, Object> fields) implements Fields {
    @Override
    public long copy() {
      return number("copy");
    }

    @Override
    public boolean has(String field) {
      return fields.containsKey(field);
    }

    @Override
    public Set<String> names() {
      return fields.keySet();
    }

    @Override
    public long number(String field, long otherwise) {
      return fields.get(field) instanceof Long number ? number : otherwise;
    }

    @Override
    public String text(String field) {
      return fields.get(field) instanceof String text ? text : "";
    }

    @Override
    public @Nullable Instant instant(String field) {
      return fields.get(field) instanceof Instant time ? time : null;
    }

    @Override
    public double millis(String field) {
      return number(field);
    }

    @Override
    public List<String> stack() {
      return List.of();
    }
  }

  final long pid;
  final long startMs;
  final int seconds;

  /** Of each second the counts of each kind. */
  final List<List<Counts>> course = new ArrayList<>();

  GivenProcess(long pid, long startMs, int seconds, long seed) {
    this.pid = pid;
    this.startMs = startMs;
    this.seconds = seconds;
    Random random = new Random(seed);
    List<Counts> now = KINDS.stream().map(Counts::none).toList();
    for (int i = 0; i < seconds; i++) {
      now = now.stream().map(counts -> counts.after(random)).toList();
      course.add(now);
    }
  }

  /** What it has in all. */
  List<Counts> totals() {
    return course.getLast();
  }

  long untilMs() {
    return startMs + seconds * 1000L;
  }

  /** What a recording would say, in the order of time. */
  List<Told> events() {
    List<Told> all = new ArrayList<>();
    all.add(
        new Told(
            "jdk.JVMInformation",
            Instant.ofEpochMilli(startMs),
            Map.of("pid", pid, "jvmStartTime", Instant.ofEpochMilli(startMs))));
    for (int i = 0; i < seconds; i++) {
      Instant time = Instant.ofEpochMilli(startMs + (i + 1) * 1000L);
      for (Counts counts : course.get(i)) {
        Map<String, Object> fields = new HashMap<>();
        Object[] row = counts.row();
        for (int column = 0; column < row.length; column++) {
          fields.put(STATISTICS.get(column + 1).split(" ", -1)[0], row[column]);
        }
        all.add(new Told(STATISTICS.getFirst(), time, fields));
      }
      all.add(new Told("offcut.ProcessMemory", time, Map.of("resident", 100_000_000L + i * 1000L)));
    }
    return all;
  }

  /**
   * The archive of its run until some second.
   *
   * @param main the class, with a line that loses all
   */
  Path archive(Path file, int second, boolean ended, String main) throws IOException {
    long untilMs = startMs + second * 1000L;
    List<Object[]> statistics = course.get(second - 1).stream().map(Counts::row).toList();
    String site =
        "java.lang.foreign.Arena.ofConfined(Arena.java:1)\n%s.load(%s.java:7)\n%s.main(X.java:1)"
            .formatted(main, main.substring(main.lastIndexOf('.') + 1), main);
    List<Object[]> sites =
        course.get(second - 1).stream()
            .map(
                counts ->
                    new Object[] {
                      counts.kind,
                      site,
                      1L,
                      "",
                      counts.opened,
                      counts.closed,
                      counts.collected,
                      counts.lost,
                      counts.open(),
                      counts.bytes(),
                      counts.lostBytes,
                      counts.opened
                    })
            .toList();
    List<String> columns = new ArrayList<>(List.of("offcut.Series", "time time", "resident long"));
    for (String kind : KINDS) {
      columns.add(kind + ".open long");
      if (!kind.startsWith("closeable:")) {
        columns.add(kind + ".bytes long");
      }
    }
    List<Object[]> series = new ArrayList<>();
    for (int i = 0; i < second; i++) {
      List<Object> row =
          new ArrayList<>(List.of(startMs + (i + 1) * 1000L, 100_000_000L + i * 1000L));
      for (Counts counts : course.get(i)) {
        row.add(counts.open());
        if (!counts.kind.startsWith("closeable:")) {
          row.add(counts.bytes() + counts.lostBytes);
        }
      }
      series.add(row.toArray());
    }
    byte[] tables =
        new GivenTables(pid)
            .table(
                schema(
                    "jdk.JVMInformation",
                    "pid long, javaArguments text, jvmVersion text, jvmStartTime time"),
                List.<Object[]>of(
                    new Object[] {
                      pid, main + " --password secret /home/joe/data", "25.0.3", startMs
                    }))
            .table(
                schema(
                    "offcut.AgentConfiguration",
                    "version text, level text, sampleEvery long, exitCode long"),
                List.<Object[]>of(new Object[] {"0.1.0", "full", 1L, -1L}))
            .table(STATISTICS, statistics)
            .table(SITE, sites)
            .table(columns, series)
            .bytes(untilMs, ended);
    Path raw = Files.createTempFile("given", ".tables");
    Files.write(raw, tables);
    Files.write(
        file, RunArchive.of(raw, Outside.NOTHING, new RunArchive.End(ended ? 0 : 137, false)));
    Files.delete(raw);
    return file;
  }
}
