package dev.offcut.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.cli.CommandProcess.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What runs left lying around, and words that find it by themselves. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class RecordingsTest {
  private static final int MOST_TURNS = 600;

  @TempDir private Path folder = Path.of("");
  @TempDir private Path temporary = Path.of("");

  private CommandProcess offcut = new CommandProcess(folder, Map.of());

  @BeforeEach
  void look() {
    offcut =
        new CommandProcess(folder, Map.of("XDG_RUNTIME_DIR", ""), "-Djava.io.tmpdir=" + temporary);
  }

  private Ended run(String... words) throws IOException, InterruptedException {
    return offcut.run(words);
  }

  @Test
  void nothing_isSaid() throws Exception {
    Ended ended = run("recordings");
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.err()).isEqualTo("offcut: no files of runs here\n");
    Ended report = run("report");
    assertThat(report.exitCode()).isEqualTo(1);
    assertThat(report.err()).contains("there are no files of runs in this folder; give a PID");
  }

  @Test
  void run_thatEnded_isListed_andRead() throws Exception {
    List<String> command = new ArrayList<>(List.of("run", "--"));
    command.addAll(CommandProcess.program(LeakingProgram.class, "7", "3"));
    assertThat(offcut.run(command).exitCode()).isEqualTo(3);
    Files.writeString(folder.resolve("other.html"), "no page of ours");
    Ended list = run("recordings");
    assertThat(list.out())
        .startsWith("WRITTEN ")
        .containsPattern(
            "(?m)^20[0-9-]{8} [0-9:]{8} +[0-9.]+ [KM]iB +[0-9]+ +exit code 3 +[^ ]*LeakingProgram +"
                + "offcut-LeakingProgram\\.[0-9]+\\.[a-z]+, .*\\.html")
        .doesNotContain("other.html")
        .hasLineCount(2);
    Ended leaks = run("leaks");
    assertThat(leaks.exitCode()).isZero();
    assertThat(leaks.out()).contains("arena.confined  7 lost of 7");
    assertThat(leaks.err()).contains("offcut: reading offcut-LeakingProgram.");
    Ended ofFolder = run("leaks", ".");
    assertThat(ofFolder.out()).isEqualTo(leaks.out());
  }

  /** What is left lies in the run's folder, which was named when it began. */
  @Test
  void run_whoseCommandIsKilled_isFound() throws Exception {
    List<String> command = new ArrayList<>(List.of("run", "--level", "full", "--"));
    command.addAll(CommandProcess.program(LeakingProgram.class, "40", "0", "wait"));
    Process wrapper = offcut.start(command);
    @Nullable Path run = null;
    List<ProcessHandle> programs = List.of();
    try {
      for (int turn = 0; turn < MOST_TURNS && !hasTables(run); turn++) {
        Thread.sleep(100);
        try (Stream<Path> files = Files.list(temporary)) {
          run =
              files.filter(file -> file.toString().contains("offcut-run-")).findAny().orElse(null);
        }
      }
      Thread.sleep(2_500); // until it has published what it opened
      assertThat(offcut.said()).contains("its counts are in " + run);
      programs = wrapper.descendants().toList();
      wrapper.destroyForcibly().waitFor();
      Ended list = run("recordings");
      assertThat(list.out())
          .containsPattern("still running +[^ ]*LeakingProgram +")
          .contains("" + run);
      assertThat(run("report").err()).as("it still goes on").contains("no files of runs");
    } finally {
      wrapper.destroyForcibly();
      for (ProcessHandle program : programs) {
        program.destroyForcibly();
        program.onExit().get();
      }
    }
    assertThat(run("recordings").out()).containsPattern("killed, or cut off +[^ ]*LeakingProgram");
    Ended stats = run("stats");
    assertThat(stats.exitCode()).isEqualTo(5);
    assertThat(stats.out()).containsPattern("arena\\.confined +40 ");
    assertThat(stats.err()).contains("offcut: reading " + run);
    assertThat(run("stats", String.valueOf(run)).out()).isEqualTo(stats.out());
  }

  private static boolean hasTables(@Nullable Path run) throws IOException {
    if (run == null || !Files.isDirectory(run.resolve("tables"))) {
      return false;
    }
    try (Stream<Path> files = Files.list(run.resolve("tables"))) {
      return files.findAny().isPresent();
    }
  }
}
