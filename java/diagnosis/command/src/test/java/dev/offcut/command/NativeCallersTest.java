package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.offcut.test.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Programs whose malloc is sampled, as a user runs them. */
@EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
class NativeCallersTest extends GivenRun {
  private static final int KEPT = 150;

  /** What zlib takes for a deflater: its window, two tables, and what is pending. */
  private static final long DEFLATER = 268_000;

  private static List<String> deflating(String end) {
    return CommandProcess.program(DeflatingProgram.class, String.valueOf(KEPT), end);
  }

  /** Without rules: else the deflaters would be counted, and have the blocks. */
  private static List<String> unruled(List<String> program, String... own) {
    return CommandProcess.with(words(program, own), "-o", "run", "--rules", "off");
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
    assertThat(finding.required("bytes").longValue())
        .isCloseTo(KEPT * DEFLATER, withPercentage(30));
    assertThat(finding.required("confidence").required("bytes").textValue()).isEqualTo("estimated");
  }

  @Test
  void run_native_namesTheLineAndTheFunction() throws Exception {
    CommandProcess.Ended ended = offcut().run(unruled(deflating("end")));
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
    assertThat(callers.required("interval").intValue()).isGreaterThanOrEqualTo(512 << 10);
    assertThat(callers.required("margin").longValue())
        .isBetween(1L, callers.required("bytes").longValue() / 2);
    Words words = new Words();
    String archive = folder.resolve("run.offcut").toString();
    assertThat(words.run("export", archive, "--to", "collapsed")).isZero();
    assertThat(words.printed()).contains("DeflatingProgram.keep", "deflateInit2_");
  }

  @Test
  void run_aScript_eachJvmIsSampled() throws Exception {
    String java =
        String.join(" ", deflating("end").stream().map(word -> "'" + word + "'").toList());
    assertThat(offcut().run(unruled(List.of("sh", "-c", "true; " + java))).exitCode()).isZero();
    isFound();
  }

  @Test
  void run_killed_isReadUpToThen() throws Exception {
    CommandProcess offcut = offcut();
    Process process = offcut.start(unruled(deflating("wait")));
    Await.until("the program's line", () -> offcut.printed().contains("kept"));
    Thread.sleep(2_000); // names of methods are written a second later at most
    process.children().forEach(ProcessHandle::destroyForcibly);
    assertThat(offcut.ended(process).exitCode()).isEqualTo(137);
    assertThat(text()).contains("of malloc memory still held, allocated at dev.offcut.command.Def");
  }

  /** The agent replaces the method in which the JDK's thread of cleaners waits. */
  @Test
  void run_whatIsForgotten_isFreedByTheCollectorsThread() throws Exception {
    assertThat(offcut().run(unruled(deflating("forget"))).exitCode()).isZero();
    JsonNode finding = first(json());
    assertThat(finding.required("severity").textValue()).isEqualTo("late");
    assertThat(finding.required("where").textValue()).contains("DeflatingProgram.keep(");
    assertThat(finding.required("text").textValue()).contains("jdk.internal.ref.CleanerImpl.run");
  }

  @Test
  void run_switchedOff_hasNoLines() throws Exception {
    assertThat(offcut().run(unruled(deflating("end"), "--native", "off")).exitCode()).isZero();
    assertThat(json().required("nativeCallers").isNull()).isTrue();
  }
}
