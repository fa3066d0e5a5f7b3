package dev.offcut.command.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BundledProgramTest {
  private static List<String> words(String... given) {
    PrintStream err = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    return new CommandLine(new RunCommand(err, err))
        .setUnmatchedOptionsArePositionalParams(true)
        .parseArgs(given)
        .matchedPositionalValue(0, List.of());
  }

  @Test
  void words_areWhatTheCommandDoesNotKnow() {
    assertThat(
            words("--rows", "5", "--level", "full", "--forget", "1%", "--web", "-o", "x", "--json"))
        .containsExactly("--rows", "5", "--forget", "1%", "--json");
    assertThat(words("--level=full", "--forget=1%")).containsExactly("--forget=1%");
    assertThat(words()).isEmpty();
  }
}
