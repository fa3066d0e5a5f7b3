package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A program of which the system tells other processes nothing. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class HiddenMemoryTest {
  @TempDir private Path folder = Path.of("");

  /** Root may read everything, unless it is started so. */
  private static List<String> withoutPrivilege() throws Exception {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
        ? List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all")
        : List.of();
  }

  private CommandProcess.Ended report(String... options) throws Exception {
    List<String> hiding = CommandProcess.program(Programs.Hiding.class);
    List<String> words =
        CommandProcess.with(
            CommandProcess.with(hiding, options), "--enable-native-access=ALL-UNNAMED");
    Process program = new ProcessBuilder(words).redirectErrorStream(true).start();
    try {
      while (!"hidden 0".equals(program.inputReader().readLine())) {}
      return new CommandProcess(folder, Map.of())
          .startedBy(withoutPrivilege())
          .run("report", String.valueOf(program.pid()));
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  /** Of a program that is not root's, the system refuses the agent a part of it, too. */
  @Test
  void report_asksTheAgent_whichMayReadMore() throws Exception {
    CommandProcess.Ended ended = report(CommandProcess.agent("level=sample"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out())
        .containsPattern("\\n  Java heap, used +[0-9.]+ MiB")
        .containsPattern("\\n  malloc, in use(?: or kept)? +[0-9.]+ MiB")
        .containsPattern("\\n  resident +[0-9.]+ MiB");
  }

  @Test
  void report_withoutAgent_saysThatItMayNotRead() throws Exception {
    CommandProcess.Ended ended = report();
    assertThat(ended.exitCode()).isEqualTo(4);
    assertThat(ended.err()).contains("this user may not read the memory of the process ");
    assertThat(ended.out()).isEmpty();
  }
}
