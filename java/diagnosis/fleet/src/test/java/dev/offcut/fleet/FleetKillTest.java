package dev.offcut.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.Main;
import dev.offcut.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Adds and compactions that are killed at any moment, and many at once: the sums are always those
 * of the sources that count.
 */
class FleetKillTest extends GivenFleet {
  private static final int SOURCES = 24;

  /** By hand with more: {@code -Dfleet.kills=200}. */
  private static final int KILLS = Integer.getInteger("fleet.kills", 12);

  private static final int WRITERS = 8;

  private final Random random = new Random(seed);
  private final List<GivenProcess> processes = new ArrayList<>();

  @BeforeEach
  void makeSources() throws IOException {
    Files.createDirectory(sources());
    processes.addAll(processes(SOURCES));
    for (GivenProcess process : processes) {
      Files.move(archive(process), sources().resolve("run-" + process.pid + ".offcut"));
    }
  }

  private Path sources() {
    return parent.resolve("sources");
  }

  private Process offcutProcess(Object... words) throws IOException {
    ChildJvm jvm =
        ChildJvm.with("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
            .and("--enable-native-access=ALL-UNNAMED")
            .program(Main.class, "fleet")
            .and(words);
    return new ProcessBuilder(jvm.words())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(parent.resolve("log").toFile()))
        .start();
  }

  private Process addAll() throws IOException {
    return offcutProcess(
        "add", sources(), "--to", fleet(), "--service", "orders", "--version", 1, "--host", "h");
  }

  private String log() throws IOException {
    return Files.readString(parent.resolve("log"));
  }

  /** Fails unless the sums are those of the processes that count; returns how many these are. */
  private int check() throws Exception {
    if (!Files.exists(fleet().resolve("fleet.json"))) {
      return 0;
    }
    List<GivenProcess> counting = counting(processes);
    if (!counting.isEmpty()) {
      assertThat(sums()).as("seed %d, %s", seed, log()).isEqualTo(sums(counting));
      assertThat(sql("SELECT count(*) AS n FROM sites"))
          .as("seed %d, %s", seed, log())
          .isEqualTo("[{\"n\":" + counting.size() * GivenProcess.KINDS.size() + "}]");
    }
    return counting.size();
  }

  private static void killLater(Process process, long millis) throws InterruptedException {
    if (!process.waitFor(millis, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void addAndCompact_killedAtAnyMoment_sumsAreRight() throws Exception {
    long began = System.nanoTime();
    assertThat(addAll().waitFor()).as(log()).isZero();
    long wholeMillis = Math.max(500, (System.nanoTime() - began) / 1_000_000);
    assertThat(check()).isEqualTo(SOURCES);
    delete(fleet());
    int kills = 0;
    while (kills < KILLS) {
      int before = check();
      killLater(addAll(), random.nextLong(wholeMillis));
      kills++;
      int after = check();
      assertThat(after).as("seed %d", seed).isGreaterThanOrEqualTo(before);
      if (kills % 3 == 0) {
        killLater(offcutProcess("compact", fleet()), random.nextLong(wholeMillis));
        kills++;
        assertThat(check()).as("seed %d", seed).isEqualTo(after);
      }
      if (after == SOURCES) {
        delete(fleet());
      }
    }
    assertThat(addAll().waitFor()).as(log()).isZero();
    assertThat(offcutProcess("compact", fleet()).waitFor()).as(log()).isZero();
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
      writers.add(addAll());
    }
    writers.add(offcutProcess("compact", fleet()));
    for (Process writer : writers.subList(0, WRITERS)) {
      assertThat(writer.waitFor()).as(log()).isZero();
    }
    writers.getLast().waitFor(); // it may have come before there was a fleet
    assertThat(check()).as("seed %d", seed).isEqualTo(SOURCES);
    Process one = offcutProcess("compact", fleet());
    Process other = offcutProcess("compact", fleet());
    assertThat(one.waitFor() + other.waitFor()).as(log()).isZero();
    assertThat(check()).as("seed %d", seed).isEqualTo(SOURCES);
  }
}
