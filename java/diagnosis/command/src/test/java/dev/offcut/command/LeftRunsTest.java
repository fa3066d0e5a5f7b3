package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.CommandProcess.Ended;
import dev.offcut.test.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What runs left lying around, and words that find it by themselves. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class LeftRunsTest {

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
    Ended ended = run("ps");
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).doesNotContain("FILES OF RUNS");
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
    Ended list = run("ps");
    assertThat(list.out())
        .containsOnlyOnce("offcut-LeakingProgram")
        .containsPattern(
            "(?m)^20[0-9-]{8} [0-9:]{8} +[0-9.]+ [KM]iB +ended +"
                + "offcut-LeakingProgram\\.[0-9]+\\.[a-z]+, .*\\.html")
        .doesNotContain("other.html");
    Ended report = run("report");
    assertThat(report.exitCode()).isZero();
    assertThat(report.out()).contains("7 confined arenas lost");
    assertThat(report.err()).contains("offcut: reading offcut-LeakingProgram.");
    Ended ofFolder = run("report", ".");
    assertThat(ofFolder.out()).isEqualTo(report.out());
  }

  /** What is left lies in the run's folder, which was named when it began. */
  @Test
  void run_whoseCommandIsKilled_isFound() throws Exception {
    List<String> command = new ArrayList<>(List.of("run", "--level", "full", "--"));
    command.addAll(CommandProcess.program(LeakingProgram.class, "40", "0", "wait"));
    Process wrapper = offcut.start(command);
    Path run;
    List<ProcessHandle> programs = List.of();
    try {
      Await.until("the program publishes what it opened", this::hasCounts);
      run = runs().getFirst();
      assertThat(offcut.said()).contains("its counts are in " + run);
      programs = wrapper.descendants().toList();
      wrapper.destroyForcibly().waitFor();
      assertThat(run("ps").out()).containsPattern(" runs +" + run);
      assertThat(run("report").err()).as("it still goes on").contains("no files of runs");
    } finally {
      wrapper.destroyForcibly();
      for (ProcessHandle program : programs) {
        program.destroyForcibly();
        program.onExit().get();
      }
    }
    assertThat(run("ps").out()).containsPattern(" ended +" + run);
    Ended report = run("report");
    assertThat(report.exitCode()).isEqualTo(5);
    assertThat(report.out()).containsPattern("arena\\.confined +40 ");
    assertThat(report.err()).contains("offcut: reading " + run);
    assertThat(run("report", String.valueOf(run)).out()).isEqualTo(report.out());
  }

  private List<Path> runs() throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.filter(file -> file.toString().contains("offcut-run-")).toList();
    }
  }

  private boolean hasCounts() throws IOException {
    Words words = new Words();
    runs().forEach(run -> words.run("report", run.toString()));
    return Pattern.compile("arena\\.confined +40 ").matcher(words.printed()).find();
  }
}
