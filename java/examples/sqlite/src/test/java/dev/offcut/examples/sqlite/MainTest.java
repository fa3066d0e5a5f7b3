package dev.offcut.examples.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process. */
final class MainTest {
  private final Path directory;

  MainTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void main_forgetting_namesTheLineAndTheSumsAreRight() throws Exception {
    ChildJvm.Result result =
        ChildJvm.run(
            List.of(),
            Main.class,
            "--rows=2000",
            "--queries=20000",
            "--forget=10%",
            "--detection=full");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .containsPattern(" forgotten +2,000  and reclaimed by the net; 2,000 were dropped\n")
        .containsPattern(
            "LEAK  type=sqlite3_stmt  2,000 forgotten of [0-9,]+ opened, .* level=full\n"
                + "  opened at  dev.offcut.examples.sqlite.Asker.askAndForget\\(Asker.java:\\d+\\)"
                + "   \\(2,000 recorded\\)\n");
  }

  @Test
  void main_signalled_endsWithTheReport() throws Exception {
    String signal = isInterruptIgnored() ? "TERM" : "INT";
    String[] arguments = {"--verbose", "--rows=2000", "--queries=500000000", "--forget=1%"};
    try (ChildJvm child = ChildJvm.start(List.of(), List.of(), Main.class, arguments)) {
      child.awaitLine("offcut: querying");
      child.signal(signal);
      ChildJvm.Result result = child.result();
      assertThat(result.code()).as(result.err()).isEqualTo(signal.equals("INT") ? 130 : 143);
      assertThat(result.out())
          .contains("interrupted: this is what was done so far")
          .contains("rows imported")
          .contains(" open in SQLite ");
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
    ChildJvm.Result result =
        ChildJvm.run(List.of("-Doffcut.sqlite.library=libnosuch.so"), Main.class, "--rows=10");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("offcut: SQLite's library was not found (tried libnosuch.so); install it with")
        .contains("apt-get install libsqlite3-0", "dnf install", "brew install")
        .hasLineCount(1);
  }

  @Test
  void main_writesFailHalfway_leavesNothing() throws Exception {
    Path file = directory.resolve("new.db");
    List<String> limited = List.of("sh", "-c", "ulimit -f 2000 && exec \"$@\"", "sh");
    List<String> options = List.of("-XX:-UsePerfData");
    String[] arguments = {"--rows=50000", "--queries=10", "--db=" + file};
    try (ChildJvm child = ChildJvm.start(limited, options, Main.class, arguments)) {
      ChildJvm.Result result = child.result();
      assertThat(result.err()).startsWith("offcut: " + file + ": ").hasLineCount(1);
      assertThat(result.code()).isEqualTo(1);
      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void main_heapIsFull_saysWhatToDo() throws Exception {
    ChildJvm.Result result =
        ChildJvm.run(List.of("-Xmx16m"), Main.class, "--rows=2000000", "--queries=10");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("offcut: the Java heap is full; import fewer rows");
  }
}
