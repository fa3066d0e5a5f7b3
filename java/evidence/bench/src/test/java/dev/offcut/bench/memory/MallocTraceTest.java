package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MallocTraceTest {
  private static MallocTrace read(String text) {
    return MallocTrace.read(new BufferedReader(new StringReader(text)));
  }

  @Test
  void read_wordsAndComments_areBlocksInSlots() {
    MallocTrace trace = read("# what it is\n8 4368x2\n-2 16 -2 -1\n");
    assertThat(trace.sizes()).containsExactly(8, 4368, 4368, 0, 16, 0, 0);
    assertThat(trace.slots()).containsExactly(0, 1, 2, 1, 1, 2, 1);
    assertThat(trace.slotCount()).isEqualTo(3);
    assertThat(trace.takes()).isEqualTo(4);
    assertThat(trace.peakStep()).isEqualTo(3);
  }

  @Test
  void read_smallBlock_hasRoomForItsNumber() {
    assertThat(read("1 8 9").sizes()).containsExactly(8, 8, 9);
  }

  @Test
  void closed_freesWhatIsLeft() {
    MallocTrace trace = read("8x3 -2").closed();
    assertThat(trace.sizes()).containsExactly(8, 8, 8, 0, 0, 0);
    assertThat(trace.slots()).containsExactly(0, 1, 2, 1, 0, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "8 -2", "8 -1 -1", "8x2 -1x2"})
  void read_freeOfNoBlock_isRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("frees no block that lives");
  }

  @Test
  void named_theKeptOnes_areWhole() {
    for (String name : MemoryCases.PROGRAMS.keySet()) {
      MallocTrace trace = MallocTrace.named(name);
      assertThat(trace.takes()).as(name).isGreaterThan(10_000);
      assertThat(trace.closed().steps()).as(name).isEqualTo(2 * trace.takes());
    }
    assertThatThrownBy(() -> MallocTrace.named("none")).hasMessage("there is no recording none");
  }

  private static void needsCompiler() {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "cc"))),
        "there is no C compiler (cc)");
  }

  @Test
  void record_program_isReadAgain(@TempDir Path folder) throws IOException {
    needsCompiler();
    Path file = folder.resolve("sort.txt.gz");
    assertThat(record("--about", "sort", "" + file, "--", "sort", "/dev/null")).isZero();
    try (var from = new GZIPInputStream(Files.newInputStream(file))) {
      String text = new String(from.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(text).startsWith("# sort\n");
      assertThat(text.lines()).allMatch(line -> line.length() <= 120);
      assertThat(read(text).takes()).isPositive();
      assertThat(read(text).slotCount()).isLessThanOrEqualTo(read(text).takes());
    }
  }

  @Test
  void record_noSuchProgram_saysSo(@TempDir Path folder) {
    needsCompiler();
    assertThat(record("" + folder.resolve("x"), "--", "no-such-program")).isEqualTo(1);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("no-such-program");
  }

  @Test
  void record_moreStepsThanAsked_keepsTheFirst_andSaysSo(@TempDir Path folder) throws IOException {
    needsCompiler();
    Path file = folder.resolve("sort.txt.gz");
    assertThat(record("--steps", "5", "" + file, "--", "sort", "/dev/null")).isZero();
    try (var from = new GZIPInputStream(Files.newInputStream(file))) {
      String text = new String(from.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(read(text).steps()).isBetween(1, 5);
    }
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("the trace has the first 5");
  }

  @Test
  void record_blockAboveTwoGib_saysSo_andKeepsTheOldTrace(@TempDir Path folder) throws Exception {
    needsCompiler();
    Path source = folder.resolve("large.c");
    Files.writeString(
        source,
        "#include <stdlib.h>\nint main(void) { void *volatile at = malloc(3UL << 30); free(at); }\n");
    Path program = folder.resolve("large");
    assertThat(new ProcessBuilder("cc", "-o", "" + program, "" + source).start().waitFor())
        .isZero();
    Path file = Files.writeString(folder.resolve("trace"), "old");
    assertThat(record("" + file, "--", "" + program)).isEqualTo(1);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("a block of 3,221,225,472 bytes");
    assertThat(file).hasContent("old");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "2147483648"})
  void record_impossibleSteps_isMisuse(String steps) {
    assertThat(record("--steps", steps, "x", "--", "sort")).isEqualTo(2);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("--steps must be 1 to 2147483647");
  }

  @Test
  void record_intoNoFolder_isMisuse(@TempDir Path folder) {
    assertThat(record("" + folder.resolve("none/x"), "--", "sort")).isEqualTo(2);
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("in a folder that exists");
  }

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int record(String... args) {
    PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
    return new CommandLine(new RecordCommand(to, to)).execute(args);
  }
}
