package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Findings that are known: how a report writes them, and how it leaves them out. */
class KnownFindingsTest {
  private static final String LOST =
      "LOST  arena.confined  com.acme.Store.load(Store.java:88)  count=1000 bytes=64000000";
  private static final String FORGOTTEN =
      "FORGOTTEN  zstd_ctx  com.acme.Store.load(Store.java:88)  count=37 bytes=0";

  @TempDir private Path folder = Path.of("");

  private final Words words = new Words();
  private String recording = "";
  private String known = "";

  @BeforeEach
  void write() throws IOException {
    recording = Scenario.leaking().write(folder.resolve("a.jfr")).toString();
    known = folder.resolve("known.txt").toString();
  }

  private List<String> written() throws IOException {
    return Files.readAllLines(Path.of(known)).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  private void know(String... lines) throws IOException {
    Files.write(Path.of(known), List.of(lines));
  }

  /** Leaves out what is known; returns the report as text. */
  private String report(String... options) {
    List<String> all = new ArrayList<>(List.of("report", recording, "--baseline", known));
    all.addAll(List.of(options));
    words.run(all.toArray(String[]::new));
    return words.printed();
  }

  @Test
  void write_hasAlarms_sorted() throws IOException {
    assertThat(words.run("report", recording, "--write-baseline", known)).isZero();
    assertThat(words.said()).isEqualTo("offcut: wrote " + known + "\n");
    assertThat(written()).containsExactly(FORGOTTEN + "  # reason?", LOST + "  # reason?");
  }

  @Test
  void write_again_needsForce() {
    words.run("report", recording, "--write-baseline", known);
    assertThat(words.run("report", recording, "--write-baseline", known)).isEqualTo(1);
    assertThat(words.said()).contains("known.txt exists already; -f overwrites it").hasLineCount(1);
    assertThat(words.run("report", recording, "--write-baseline", known, "-f")).isZero();
  }

  /** What is left out of the report is still known afterwards, and why. */
  @Test
  void write_overABaseline_keepsItsFindingsAndReasons() throws IOException {
    know(LOST + "  # until the cache is gone");
    report("--write-baseline", known, "-f");
    assertThat(written()).hasSize(2).contains(LOST + "  # until the cache is gone");
  }

  @Test
  void known_isLeftOut_inOneLine() throws IOException {
    words.run("report", recording, "--write-baseline", known);
    assertThat(report())
        .contains("2 known findings are left out (" + known + ")")
        .contains("LOST 1,000 confined arenas lost: 61.0 MiB never freed; ")
        .contains("No other lost or forgotten resource was seen", "COST ")
        .doesNotContain("\nLOST", "\nFORGOTTEN");
  }

  @Test
  void known_isInJson() throws IOException {
    know(LOST);
    String json = report("--json");
    assertThat(ReportSchema.problemsOf(json)).isEmpty();
    JsonNode findings = new ObjectMapper().readTree(json).get("findings");
    JsonNode last = findings.get(findings.size() - 1);
    assertThat(last.get("title").asText()).isEqualTo("1 known finding is left out (" + known + ")");
    assertThat(last.get("severity").asText()).isEqualTo("note");
    assertThat(last.get("leftOut")).hasSize(1);
    assertThat(last.get("leftOut").get(0).get("kind").asText()).isEqualTo("arena.confined");
    assertThat(report("--json", "--redact", "paths")).contains("left out (known.txt)");
  }

  @Test
  void known_failsNoCheck() throws IOException {
    know(LOST, FORGOTTEN);
    report("--fail-on-leak");
    assertThat(words.said()).doesNotContain("fails");
    know(LOST);
    report("--fail-on-leak");
    assertThat(words.said()).contains("FORGOTTEN 37 of").doesNotContain("LOST");
  }

  /** A file is edited, and numbers of lines change; another method is another finding. */
  @ParameterizedTest
  @CsvSource({
    "com.acme.Store.load(Store.java:88), true",
    "com.acme.Store.load(Store.java:7), true",
    "com.acme.Store.load(Store.java), true",
    "com.acme.Store.get(Store.java:88), false",
    "com.acme.Store.load(Shop.java:88), false",
    "com.acme.Other.load(Store.java:88), false"
  })
  void match_isByMethodAndFile(String line, boolean isKnown) throws IOException {
    know("LOST  arena.confined  " + line + "  count=1000 bytes=64000000");
    assertThat(report().contains("1 known finding is left out")).isEqualTo(isKnown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"LATE  arena.confined", "LOST  arena.shared"})
  void match_isByFindingAndKind(String other) throws IOException {
    know(other + "  com.acme.Store.load(Store.java:88)  count=1000 bytes=64000000");
    assertThat(report()).contains("\nLOST  ").doesNotContain("left out");
  }

  @ParameterizedTest
  @CsvSource({
    "500, 32000000, true",
    "499, 64000000, false",
    "1000, 31999999, false",
    "0, 0, true" // figures that are not known
  })
  void known_thatGotMuchWorse_isShown(long count, long bytes, boolean isLeftOut)
      throws IOException {
    know(
        "LOST  arena.confined  com.acme.Store.load(Store.java:88)  count="
            + count
            + " bytes="
            + bytes);
    String report = report("--fail-on-leak").replaceAll("\\s+", " ");
    assertThat(report.contains("1 known finding is left out")).isEqualTo(isLeftOut);
    assertThat(report.contains("It is known, but got worse: " + known + " has "))
        .isEqualTo(!isLeftOut);
    assertThat(words.said().contains("LOST 1,000 confined arenas")).isEqualTo(!isLeftOut);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOST",
        "LOST arena.confined com.acme.Store.load(Store.java:88) count=1 bytes=1",
        "LOSS  arena.confined  com.acme.Store.load(Store.java:88)  count=1 bytes=1",
        "COST  -  -  count=1 bytes=1",
        "LOST  arena.confined  com.acme.Store.load(Store.java:88)  count=x bytes=1",
        "LOST  arena.confined  com.acme.Store.load(Store.java:88)  count=1 bytes=1 reason"
      })
  void badLine_isOneError(String line) throws IOException {
    know("# why", LOST, line);
    assertThat(words.run("report", recording, "--baseline", known)).isEqualTo(5);
    assertThat(words.said())
        .startsWith("offcut: " + known + ":3: not a known finding: " + line + "; ")
        .contains("example: LOST  arena.confined  ")
        .hasLineCount(1);
    assertThat(words.printed()).isEmpty();
  }

  @Test
  void file_missing_isOneError() {
    assertThat(words.run("report", recording, "--baseline", known)).isEqualTo(5);
    assertThat(words.said()).contains("there is no baseline " + known).hasLineCount(1);
  }

  @Test
  @EnabledIfSystemProperty(named = "agent.jar", matches = ".+")
  void run_writes_andThenPasses() throws Exception {
    CommandProcess offcut = new CommandProcess(folder, Map.of());
    List<String> program = GivenRun.leaking(0);
    CommandProcess.Ended ended =
        offcut.run(GivenRun.words(program, "--write-baseline", "known.txt", "--fail-on-leak"));
    assertThat(ended.exitCode()).as(ended.err()).isEqualTo(3);
    assertThat(written().getFirst())
        .matches(
            "LOST  arena\\.confined  dev\\.offcut\\.command\\.LeakingProgram\\.forget"
                + "\\(LeakingProgram\\.java:\\d+\\)  count=1000 bytes=1024000  # reason\\?");
    ended = offcut.run(GivenRun.words(program, "--baseline", "known.txt", "--fail-on-leak"));
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.err()).contains("1 known finding is left out (known.txt)");
    Files.writeString(Path.of(known), "LOST\n");
    ended = offcut.run(GivenRun.words(program, "--baseline", "known.txt"));
    assertThat(ended.exitCode()).isEqualTo(125);
    assertThat(ended.err()).startsWith("offcut: known.txt:1: not a known finding: ");
    assertThat(ended.out()).isEmpty(); // the program did not run
  }
}
