package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.Main;
import dev.offcut.fleet.duckdb.DuckDbEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Adds and compactions that are killed at any moment, and many at once: the sums are always those
 * of the sources that count.
 */
class FleetKillTest {
  private static final long START_MS = 1_790_000_003_456L;
  private static final int SOURCES = 24;

  /** By hand with more: {@code -Dfleet.kills=200}. */
  private static final int KILLS = Integer.getInteger("fleet.kills", 12);

  private static final int WRITERS = 8;

  @TempDir private Path parent = Path.of("");

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<GivenProcess> processes = new ArrayList<>();

  @BeforeEach
  void makeSources() throws IOException {
    Files.createDirectory(sources());
    for (int i = 0; i < SOURCES; i++) {
      GivenProcess process =
          new GivenProcess(100 + i, START_MS + i * 7_000L, 60 + 13 * i, seed + i);
      process.archive(
          sources().resolve("run-" + i + ".offcut"), process.seconds, true, "com.acme.Orders");
      processes.add(process);
    }
  }

  private Path sources() {
    return parent.resolve("sources");
  }

  private Path fleet() {
    return parent.resolve("fleet");
  }

  private Process offcut(String... words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "fleet"));
    command.addAll(List.of(words));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(parent.resolve("log").toFile()))
        .start();
  }

  private Process add() throws IOException {
    return offcut(
        "add",
        sources().toString(),
        "--to",
        fleet().toString(),
        "--service",
        "orders",
        "--version",
        "1",
        "--host",
        "h");
  }

  private String log() throws IOException {
    return Files.readString(parent.resolve("log"));
  }

  /** Fails unless the sums are those of the processes that count; returns how many these are. */
  private int check() throws Exception {
    if (!Files.exists(fleet().resolve("fleet.json"))) {
      return 0;
    }
    try (DuckDbEngine engine = DuckDbEngine.open()) {
      Census.open(Fleet.open(fleet().toString()), engine);
      Set<Object> pids = new HashSet<>();
      engine
          .query("SELECT pid FROM processes")
          .rows()
          .forEach(row -> pids.add(Objects.requireNonNull(row.getFirst())));
      List<List<Long>> sums = new ArrayList<>();
      for (List<?> row :
          engine
              .query(
                  "SELECT cast(coalesce(sum(opened), 0) AS bigint), cast(coalesce(sum(lost), 0) AS bigint),"
                      + " cast(coalesce(sum(lost_bytes), 0) AS bigint), (SELECT count(*) FROM sites) FROM windows")
              .rows()) {
        sums.add(row.stream().map(Long.class::cast).toList());
      }
      long opened = 0;
      long lost = 0;
      long lostBytes = 0;
      for (GivenProcess process : processes) {
        if (pids.contains(process.pid)) {
          opened += process.totals().stream().mapToLong(GivenProcess.Counts::opened).sum();
          lost += process.totals().stream().mapToLong(GivenProcess.Counts::lost).sum();
          lostBytes += process.totals().stream().mapToLong(GivenProcess.Counts::lostBytes).sum();
        }
      }
      long sites = (long) pids.size() * GivenProcess.KINDS.size();
      assertThat(sums)
          .as("seed %d, %s", seed, log())
          .containsExactly(List.of(opened, lost, lostBytes, sites));
      return pids.size();
    }
  }

  private static void killLater(Process process, long millis) throws InterruptedException {
    if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void addAndCompact_killedAtAnyMoment_sumsAreRight() throws Exception {
    long began = System.nanoTime();
    assertThat(add().waitFor()).as(log()).isZero();
    long wholeMillis = Math.max(500, (System.nanoTime() - began) / 1_000_000);
    assertThat(check()).isEqualTo(SOURCES);
    delete(fleet());
    int kills = 0;
    while (kills < KILLS) {
      int before = check();
      killLater(add(), random.nextLong(wholeMillis));
      kills++;
      int after = check();
      assertThat(after).as("seed %d", seed).isGreaterThanOrEqualTo(before);
      if (kills % 3 == 0) {
        killLater(offcut("compact", fleet().toString()), random.nextLong(wholeMillis));
        kills++;
        assertThat(check()).as("seed %d", seed).isEqualTo(after);
      }
      if (after == SOURCES) {
        delete(fleet());
      }
    }
    assertThat(add().waitFor()).as(log()).isZero();
    assertThat(offcut("compact", fleet().toString()).waitFor()).as(log()).isZero();
    assertThat(check()).as("seed %d", seed).isEqualTo(SOURCES);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var all = Files.walk(folder)) {
      for (Path file : all.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void add_byManyProcessesAtOnce_countsOnce() throws Exception {
    List<Process> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(add());
    }
    writers.add(offcut("compact", fleet().toString()));
    for (Process writer : writers.subList(0, WRITERS)) {
      assertThat(writer.waitFor()).as(log()).isZero();
    }
    writers.getLast().waitFor(); // it may have come before there was a fleet
    assertThat(check()).as("seed %d", seed).isEqualTo(SOURCES);
    Process one = offcut("compact", fleet().toString());
    Process other = offcut("compact", fleet().toString());
    assertThat(one.waitFor() + other.waitFor()).as(log()).isZero();
    assertThat(check()).as("seed %d", seed).isEqualTo(SOURCES);
  }
}
