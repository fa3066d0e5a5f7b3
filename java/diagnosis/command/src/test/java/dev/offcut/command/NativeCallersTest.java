package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.test.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Programs with a profiler in them that samples malloc, as a user runs them. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class NativeCallersTest {
  private static final int KEPT = 150;

  /** What zlib takes for a deflater: its window, two tables, and what is pending. */
  private static final long DEFLATER = 268_000;

  /** The first word of a chunk that has been ended is its size; before that, this. */
  private static final long NOT_ENDED = 1L << 30;

  @TempDir private Path folder = Path.of("");

  private CommandProcess offcut(String... options) {
    return new CommandProcess(folder, Map.of(), options);
  }

  private static List<String> deflating(String end) {
    return CommandProcess.program(DeflatingProgram.class, String.valueOf(KEPT), end);
  }

  /** Without rules: else the deflaters would be counted, and have the blocks. */
  private static List<String> words(List<String> program, String... own) {
    List<String> words = new ArrayList<>(List.of("run", "-o", "run", "--rules", "off"));
    words.addAll(List.of(own));
    words.add("--");
    words.addAll(program);
    return words;
  }

  private String text() throws IOException {
    return Files.readString(folder.resolve("run.txt")).replaceAll("\\s+", " ");
  }

  private JsonNode json() throws IOException {
    Words words = new Words();
    assertThat(words.run("report", "--json", folder.resolve("run.offcut").toString())).isIn(0, 5);
    assertThat(ReportSchema.problemsOf(words.printed())).isEmpty();
    return new ObjectMapper().readTree(words.printed());
  }

  private static JsonNode first(JsonNode report) {
    return report.required("findings").get(0);
  }

  private void isFound() throws IOException {
    JsonNode finding = first(json());
    assertThat(finding.required("severity").textValue()).isEqualTo("open");
    assertThat(finding.required("kind").textValue()).isEqualTo("malloc.native");
    assertThat(finding.required("where").textValue())
        .matches(
            "dev\\.offcut\\.command\\.DeflatingProgram\\.keep\\(DeflatingProgram\\.java:\\d+\\)");
    assertThat(finding.required("text").textValue()).contains("deflateInit2_(lib");
    assertThat(finding.required("bytes").longValue()).isCloseTo(KEPT * DEFLATER, withPercentage(5));
    assertThat(finding.required("confidence").required("bytes").textValue()).isEqualTo("estimated");
  }

  @Test
  void run_native_namesTheLineAndTheFunction() throws Exception {
    CommandProcess.Ended ended = offcut().run(words(deflating("end"), "--native"));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("kept " + KEPT + "\n");
    isFound();
    assertThat(text())
        .contains(
            "OPEN about ", "of malloc memory still held, allocated at dev.offcut.command.Deflating")
        .contains("whether a native block is lost");
    JsonNode report = json();
    for (JsonNode site : report.required("sites")) {
      if (site.required("frames").toString().contains("DeflatingProgram.end(")) {
        assertThat(site.required("open").longValue()).isZero();
      }
    }
    JsonNode callers = report.required("nativeCallers");
    assertThat(callers.required("problem").textValue()).isEmpty();
    assertThat(callers.required("interval").intValue()).isBetween(1, 64 << 10);
    assertThat(callers.required("margin").longValue())
        .isBetween(1L, callers.required("bytes").longValue() / 10);
    assertThat(callers.required("missed").doubleValue()).isLessThan(0.01);
    Words words = new Words();
    String archive = folder.resolve("run.offcut").toString();
    assertThat(words.run("export", archive, "--to", "collapsed")).isZero();
    assertThat(words.printed()).contains("DeflatingProgram.keep", "deflateInit2_");
  }

  @Test
  void run_sizesThatAddUpToAPowerOfTwo_areEstimatedRight() throws Exception {
    List<String> program = CommandProcess.program(SteppingProgram.class, "2000");
    assertThat(offcut().run(words(program, "--native")).exitCode()).isZero();
    JsonNode callers = json().required("nativeCallers");
    assertThat(callers.required("counted").longValue())
        .isCloseTo(2000L * SteppingProgram.KEPT, withPercentage(5));
  }

  @Test
  void run_aScript_eachJvmIsSampled() throws Exception {
    String java =
        String.join(" ", deflating("end").stream().map(word -> "'" + word + "'").toList());
    CommandProcess.Ended ended =
        offcut().run(words(List.of("sh", "-c", "true; " + java), "--native=16k"));
    assertThat(ended.exitCode()).isZero();
    isFound();
    assertThat(json().required("nativeCallers").required("interval").intValue())
        .isBetween(1, 16 << 10);
  }

  @Test
  void run_aLibraryThatDoesNotLoad_saysWhyAndReportsTheRest() throws Exception {
    Path library = Files.writeString(folder.resolve("none.so"), "no library");
    CommandProcess.Ended ended =
        offcut("-Doffcut.profiler=" + library).run(words(deflating("end"), "--native"));
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.out()).isEqualTo("kept " + KEPT + "\n");
    assertThat(ended.err()).contains("--native is left out: a JVM with the profiler ends with");
    assertThat(text()).contains("--native has no figures: a JVM with the profiler ends with");
    assertThat(json().required("nativeCallers").required("problem").textValue()).isNotEmpty();
    assertThat(first(json()).required("title").textValue())
        .contains("taken by code that is not tracked");
  }

  @Test
  void run_killed_saysThatThereIsNoFile() throws Exception {
    CommandProcess offcut = offcut();
    Process process = offcut.start(words(deflating("wait"), "--native"));
    Await.until("a file of the profiler", () -> recording(offcut) != null);
    process.children().forEach(ProcessHandle::destroyForcibly);
    assertThat(offcut.ended(process).exitCode()).isEqualTo(137);
    assertThat(text())
        .contains("the profiler writes its file when the JVM ends, and this one was killed before");
  }

  @Test
  void run_aFileAtItsLimit_isStoppedAndReadUpToThere() throws Exception {
    CommandProcess offcut = offcut("-Doffcut.profiler.limit=1");
    Process process = offcut.start(words(deflating("wait"), "--native"));
    Await.until(
        "a file at its limit",
        () -> {
          Path file = recording(offcut);
          return file != null && isEnded(file);
        });
    process.getOutputStream().close();
    assertThat(offcut.ended(process).exitCode()).isZero();
    assertThat(text()).contains("The file of the profiler reached its size limit at ");
    JsonNode callers = json().required("nativeCallers");
    assertThat(callers.required("stopped").booleanValue()).isTrue();
    assertThat(callers.required("used").longValue()).isPositive();
  }

  private static @Nullable Path recording(CommandProcess offcut) throws IOException {
    Matcher said = Pattern.compile("its counts are in (.+)").matcher(offcut.said());
    if (!said.find() || !offcut.printed().contains("kept")) {
      return null;
    }
    try (Stream<Path> files = Files.list(Path.of(said.group(1)))) {
      return files
          .filter(file -> String.valueOf(file.getFileName()).startsWith("malloc-"))
          .findFirst()
          .orElse(null);
    }
  }

  private static boolean isEnded(Path file) throws IOException {
    try (var in = new java.io.DataInputStream(Files.newInputStream(file))) {
      in.skipNBytes(Long.BYTES);
      return in.readLong() != NOT_ENDED;
    }
  }

  @Test
  void run_noInterval_saysWhatOneIs() {
    Words words = new Words();
    assertThat(words.run("run", "--native=often", "--", "java")).isEqualTo(2);
    assertThat(words.said())
        .contains("--native: often is not an interval in bytes, such as 64k or 1m;");
  }
}
