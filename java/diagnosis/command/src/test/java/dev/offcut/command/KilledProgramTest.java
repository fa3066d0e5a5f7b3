package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is killed leaves the chunk it was at; so does a disk that was full. */
class KilledProgramTest {
  private static final String LOST = "LOST       1,000 confined arenas lost";

  @TempDir private static Path folder = Path.of("");
  private static Path repository = Path.of("");

  private final Words words = new Words();

  /** Until its recorder has flushed what was recorded. */
  @BeforeAll
  static void runAndKill() throws Exception {
    Path where = folder.resolve("where");
    Process program =
        new ProcessBuilder(
                CommandProcess.program(Programs.EndlessRecording.class, where.toString()))
            .inheritIO()
            .start();
    try {
      Words leaks = new Words();
      Await.until("the program says where", () -> Files.exists(where) && Files.size(where) > 0);
      repository = Path.of(Files.readString(where));
      Await.until(
          "a loss is recorded",
          () -> {
            leaks.run("report", repository.toString());
            return leaks.printed().contains("LOST");
          });
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  @AfterAll
  static void deleteWhatNobodyElseDoes() throws IOException {
    try (Stream<Path> files = Files.list(repository)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(repository);
  }

  private static Path chunk() throws IOException {
    try (Stream<Path> files = Files.list(repository)) {
      return files.filter(file -> file.toString().endsWith(".jfr")).findFirst().orElseThrow();
    }
  }

  @Test
  void report_directoryOfKilled_isReadUpToItsLastSecond() {
    assertThat(words.run("report", repository.toString())).isEqualTo(5);
    assertThat(words.printed()).contains(LOST);
    assertThat(words.said()).contains("is missing; what could be read is shown").hasLineCount(1);
    assertThat(words.printed().replaceAll("\\s+", " "))
        .contains("The program was killed")
        .contains(
            "has stopped tracking anything since the last part of the recording began is not");
  }

  @Test
  void report_fileCutInTheMiddle_isReadUpToThere() throws IOException {
    byte[] bytes = Files.readAllBytes(chunk());
    Path cut = Files.write(folder.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length - 10));
    assertThat(words.run("report", cut.toString())).isEqualTo(5);
    assertThat(words.printed()).contains(LOST);
    words.run("report", "--json", cut.toString());
    assertThat(words.printed()).contains("\"complete\":false", "was cut off");
  }

  @Test
  void report_wholeChunkAndHalfOfAnother_isReadUpToThere() throws IOException {
    Path whole = Scenario.leaking().write(folder.resolve("whole.jfr"));
    byte[] bytes = Files.readAllBytes(whole);
    byte[] both = Arrays.copyOf(bytes, bytes.length + bytes.length / 2);
    System.arraycopy(bytes, 0, both, bytes.length, bytes.length / 2);
    Path cut = Files.write(folder.resolve("both.jfr"), both);
    assertThat(words.run("report", cut.toString())).isEqualTo(5);
    assertThat(words.printed()).contains(LOST);
  }

  @Test
  void report_failOnLeak_comesBeforeWhatIsMissing() {
    assertThat(words.run("report", "--fail-on-leak", repository.toString())).isEqualTo(3);
  }
}
