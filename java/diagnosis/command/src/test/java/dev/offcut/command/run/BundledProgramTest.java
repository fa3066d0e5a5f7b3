package dev.offcut.command.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BundledProgramTest {
  private static List<String> sorted(String... given) {
    PrintStream err = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    return BundledProgram.sorted(
        new CommandLine(new RunCommand(err)).getCommandSpec(), List.of(given));
  }

  @Test
  void sorted_optionsOfBoth_goToWhoKnowsThem() {
    assertThat(
            sorted(
                "--rows", "5", "--level", "full", "--forget", "1%", "--web", "-o", "x", "--json"))
        .containsExactly(
            "--level",
            "full",
            "--web",
            "-o",
            "x",
            "--bundled",
            "--",
            "--rows",
            "5",
            "--forget",
            "1%",
            "--json");
    assertThat(sorted("--level=full", "--forget=1%"))
        .containsExactly("--level=full", "--bundled", "--", "--forget=1%");
    assertThat(sorted()).containsExactly("--bundled", "--");
  }
}
