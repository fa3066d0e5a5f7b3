package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        [ "$2" != sqlite ] || { echo "sqlite is <missing>" >&2; exit 4; }
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
    BenchRun run =
        BenchRun.of("all", "--minutes", "10", "--jdks", "/a,/b", "--out", out.toString());
    assertThat(run.status()).isEqualTo(1);
    for (String suite : Suites.all()) {
      String page = Files.readString(out.resolve(suite + ".md"));
      assertThat(page)
          .startsWith("# Results: " + suite + "\n\n`./offcut bench " + suite + " --min");
      if (suite.equals("sqlite")) {
        assertThat(page).contains("ended with status 4", "sqlite is <missing>");
        assertThat(out.resolve("sqlite.json")).doesNotExist();
      } else {
        assertThat(page).endsWith("\n\n```text\na table of " + suite + "\n```\n");
        assertThat(out.resolve(suite + ".json")).hasContent("{}");
      }
    }
    assertThat(Files.readAllLines(folder.resolve("calls")))
        .hasSameSizeAs(Suites.all())
        .allMatch(call -> call.contains(" --jdks /a,/b ") != call.startsWith("bench go "));
    assertThat(run.out()).contains("sqlite         FAILED", "handle         ok");
  }

  @Test
  void all_quick_asksForTheQuickForm() throws IOException {
    BenchRun.of("all", "--quick", "--out", folder.resolve("quick").toString());
    assertThat(Files.readAllLines(folder.resolve("calls"))).allMatch(c -> c.contains(" --quick "));
  }

  @Test
  void all_quickWithMinutes_isMisuse() {
    assertThat(BenchRun.of("all", "--quick", "--minutes", "3").status()).isEqualTo(2);
  }

  @Test
  void share_ofSuitesThatUseTheirs_isAllOfTheTime() {
    double left = 4500;
    for (List<String> toCome = Suites.all(); !toCome.isEmpty(); ) {
      double share = AllCommand.share(left, toCome);
      assertThat(share).isPositive();
      left -= share;
      toCome = toCome.subList(1, toCome.size());
    }
    assertThat(left).isCloseTo(0, within(1e-6));
    assertThat(AllCommand.share(-5, Suites.all())).isPositive();
  }
}
