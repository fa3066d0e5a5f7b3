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

  @TempDir private static Path folder = Path.of("");
  private static Path repository = Path.of("");

  private final Words words = new Words();

  /** Until its recorder has flushed what was recorded. */
  @BeforeAll
  static void runAndKill() throws Exception {
    Path where = folder.resolve("where");
    Process program =
        new ProcessBuilder(CommandProcess.program(RecordingProgram.class, where.toString()))
            .inheritIO()
            .start();
    try {
      Words leaks = new Words();
      Await.until("the program says where", () -> Files.exists(where) && Files.size(where) > 0);
      repository = Path.of(Files.readString(where));
      Await.until(
          "a loss is recorded",
          () -> {
            leaks.run("leaks", repository.toString());
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
  void leaks_directoryOfKilled_isReadUpToItsLastSecond() {
    assertThat(words.run("leaks", repository.toString())).isEqualTo(5);
    assertThat(words.printed()).contains("LOST  kind=arena.confined  1,000 lost of 12,000 opened");
    assertThat(words.said()).contains("is missing; what could be read is shown").hasLineCount(1);
    words.run("report", repository.toString());
    assertThat(words.printed().replaceAll("\\s+", " "))
        .contains("The program was killed")
        .contains(
            "has stopped tracking anything since the last part of the recording began is not");
  }

  @Test
  void leaks_fileCutInTheMiddle_isReadUpToThere() throws IOException {
    byte[] bytes = Files.readAllBytes(chunk());
    Path cut = Files.write(folder.resolve("cut.jfr"), Arrays.copyOf(bytes, bytes.length - 10));
    assertThat(words.run("leaks", cut.toString())).isEqualTo(5);
    assertThat(words.printed()).contains("LOST  kind=arena.confined  1,000 lost of 12,000 opened");
    words.run("report", "--json", cut.toString());
    assertThat(words.printed()).contains("\"complete\":false", "was cut off");
  }

  @Test
  void leaks_wholeChunkAndHalfOfAnother_isReadUpToThere() throws IOException {
    Path whole = Scenario.leaking().write(folder.resolve("whole.jfr"));
    byte[] bytes = Files.readAllBytes(whole);
    byte[] both = Arrays.copyOf(bytes, bytes.length + bytes.length / 2);
    System.arraycopy(bytes, 0, both, bytes.length, bytes.length / 2);
    Path cut = Files.write(folder.resolve("both.jfr"), both);
    assertThat(words.run("leaks", cut.toString())).isEqualTo(5);
    assertThat(words.printed()).contains("LOST  kind=arena.confined  1,000 lost of 12,000 opened");
  }

  @Test
  void leaks_failOnLeak_comesBeforeWhatIsMissing() {
    assertThat(words.run("leaks", "--fail-on-leak", repository.toString())).isEqualTo(3);
  }
}
