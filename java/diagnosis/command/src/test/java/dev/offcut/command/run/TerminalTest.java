package dev.offcut.command.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.command.CommandProcess;
import dev.offcut.command.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TerminalTest {
  private static final String ON_TERMINAL = "-Doffcut.terminal.stdout=true";
  private static final String ESCAPE = "\u001b[";

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void record() throws IOException {
    Scenario.leaking().write(folder.resolve("a.jfr"));
  }

  private String report(Map<String, String> environment, String... words) throws Exception {
    String[] options = words[0].startsWith("-D") ? new String[] {words[0]} : new String[0];
    String[] rest = java.util.Arrays.copyOfRange(words, options.length, words.length);
    return new CommandProcess(folder, environment, options).run(rest).out();
  }

  @Test
  void colour_terminal_isThere() throws Exception {
    assertThat(report(Map.of("TERM", "xterm"), ON_TERMINAL, "report", "a.jfr")).contains(ESCAPE);
  }

  @Test
  void colour_otherwise_isNot() throws Exception {
    Map<String, String> xterm = Map.of("TERM", "xterm");
    assertThat(report(xterm, "report", "a.jfr")).contains("LOST").doesNotContain(ESCAPE);
    assertThat(report(xterm, ON_TERMINAL, "report", "--no-color", "a.jfr")).doesNotContain(ESCAPE);
    assertThat(report(Map.of("TERM", "dumb"), ON_TERMINAL, "report", "a.jfr"))
        .doesNotContain(ESCAPE);
    assertThat(report(Map.of("TERM", "xterm", "NO_COLOR", "1"), ON_TERMINAL, "report", "a.jfr"))
        .doesNotContain(ESCAPE);
  }

  @Test
  void print_brokenPipe_isSilent() throws Exception {
    CommandProcess.Ended ended =
        new CommandProcess(folder, Map.of())
            .shell("$OFFCUT report --json a.jfr | head -c 1; $OFFCUT report a.jfr | true");
    assertThat(ended.out()).isEqualTo("{");
    assertThat(ended.err()).isEmpty();
  }
}
