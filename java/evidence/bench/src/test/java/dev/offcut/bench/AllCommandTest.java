package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllCommandTest {
  private static final String LAUNCHER = "offcut.launcher";

  private final Path folder;

  AllCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** A launcher that measures nothing: it writes its arguments, or fails. */
  @BeforeEach
  void standIn() throws IOException {
    Path launcher = folder.resolve("offcut");
    Files.writeString(
        launcher,
        """
        #!/bin/sh
        echo "$*" >>"%s/calls"
        [ "$2" != memory ] || { echo "memory is <missing>" >&2; exit 4; }
        for last; do :; done
        echo "{}" >"$last"
        echo "a table of $2"
        """
            .formatted(folder));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    System.setProperty(LAUNCHER, launcher.toString());
  }

  @AfterEach
  void removeLauncher() {
    System.clearProperty(LAUNCHER);
  }

  @Test
  void all_oneSuiteFails_othersHaveTheirPagesAndTheFailureIsInIts() throws IOException {
    Path out = folder.resolve("results");
    BenchRun run = BenchRun.of("all", "--out", out.toString());
    assertThat(run.status()).isEqualTo(1);
    for (String suite : Suites.together()) {
      String page = Files.readString(out.resolve(suite + ".md"));
      assertThat(page)
          .startsWith("# Results: " + suite + "\n\n`./offcut bench " + suite + "` printed");
      if (suite.equals("memory")) {
        assertThat(page).contains("ended with status 4");
        assertThat(out.resolve("memory.json")).doesNotExist();
      } else {
        assertThat(page).endsWith("\n\n```text\na table of " + suite + "\n```\n");
        assertThat(out.resolve(suite + ".json")).hasContent("{}");
      }
    }
    assertThat(Files.readAllLines(folder.resolve("calls"))).hasSameSizeAs(Suites.together());
    assertThat(run.out()).contains("memory         FAILED", "handle         ok");
  }

  @Test
  void all_quick_asksForTheQuickForm() throws IOException {
    BenchRun.of("all", "--quick", "--out", folder.resolve("quick").toString());
    assertThat(Files.readAllLines(folder.resolve("calls"))).allMatch(c -> c.contains(" --quick "));
  }
}
