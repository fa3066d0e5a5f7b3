package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process. */
final class MainTest {
  private final Path directory;

  MainTest(@TempDir Path directory) {
    this.directory = directory;
  }

  /** One compiler and the serial collector start soonest. */
  static ChildJvm jvm(String... options) {
    return ChildJvm.with(
            "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        .and((Object[]) options);
  }

  @Test
  void main_forgetting_namesTheLineAndTheSumsAreRight() throws Exception {
    ChildJvm.Output result =
        jvm()
            .program(
                Main.class, "--rows=2000", "--queries=20000", "--forget=10%", "--detection=full")
            .runToAnyEnd();
    assertThat(result.exitCode()).as(result.errText()).isZero();
    assertThat(result.errText()).isEmpty();
    assertThat(result.outText())
        .containsPattern(" forgotten +2,000  and released by the safety net; 2,000 were dropped\n")
        .containsPattern(
            "FORGOTTEN  type=sqlite3_stmt  2,000 of [0-9,]+ opened, .* level=full\n"
                + "  opened at  dev.offcut.examples.sqlite.Asker.askAndForget\\(Asker.java:\\d+\\)"
                + "   \\(2,000 recorded\\)\n");
  }

  @Test
  void main_signalled_endsWithTheReport() throws Exception {
    String signal = isInterruptIgnored() ? "TERM" : "INT";
    Object[] arguments = {"--verbose", "--rows=2000", "--queries=500000000", "--forget=1%"};
    Path report = directory.resolve("report");
    Process process =
        new ProcessBuilder(jvm().program(Main.class, arguments).words())
            .redirectOutput(report.toFile())
            .start();
    try (BufferedReader err = process.errorReader()) {
      assertThat(err.lines().anyMatch(line -> line.contains("offcut: querying"))).isTrue();
      new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
      String rest = err.lines().toList().toString();
      assertThat(process.waitFor()).as(rest).isEqualTo(signal.equals("INT") ? 130 : 143);
      assertThat(report)
          .content()
          .contains("interrupted: this is what was done so far")
          .contains("rows imported")
          .contains(" open in SQLite ");
    } finally {
      process.destroyForcibly();
    }
  }

  /** As under {@code nohup}, or in the background of a shell: a JVM then leaves it ignored. */
  private static boolean isInterruptIgnored() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
  }

  @Test
  void main_noLibrary_saysWhatToInstall() throws Exception {
    ChildJvm.Output result =
        jvm("-Doffcut.sqlite.library=libnosuch.so").program(Main.class, "--rows=10").runToAnyEnd();
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.outText()).isEmpty();
    assertThat(result.errText())
        .startsWith("offcut: SQLite's library was not found (tried libnosuch.so); install it with")
        .contains("apt-get install libsqlite3-0", "dnf install", "brew install")
        .hasLineCount(1);
  }

  @Test
  void main_writesFailHalfway_leavesNothing() throws Exception {
    Path file = directory.resolve("new.db");
    ChildJvm.Output result =
        jvm("-XX:-UsePerfData")
            .program(Main.class, "--rows=50000", "--queries=10", "--db=" + file)
            .startedBy("sh", "-c", "ulimit -f 2000 && exec \"$@\"", "sh")
            .runToAnyEnd();
    assertThat(result.errText()).startsWith("offcut: " + file + ": ").hasLineCount(1);
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void main_heapIsFull_saysWhatToDo() throws Exception {
    ChildJvm.Output result =
        jvm("-Xmx16m").program(Main.class, "--rows=2000000", "--queries=10").runToAnyEnd();
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.errText()).contains("offcut: the Java heap is full; import fewer rows");
  }
}
