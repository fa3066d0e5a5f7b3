package dev.offcut.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every word's text, on recordings of known figures. */
class GoldenTest {
  @TempDir private static Path folder = Path.of("");

  private final Words words = new Words();

  @BeforeAll
  static void record() throws IOException {
    Scenario.leaking().write(folder.resolve("sample.jfr"));
    new Scenario("full", "0.1.0").write(folder.resolve("full.jfr"));
    new Scenario("count", "0.1.0").write(folder.resolve("count.jfr"));
    Scenario.closing().write(folder.resolve("closing.jfr"));
    Scenario.later().write(folder.resolve("later.jfr"));
  }

  @ParameterizedTest
  @CsvSource({
    "report.txt, sample, report",
    "report.json, sample, report --json",
    "report-full.txt, full, report",
    "report-closing.txt, closing, report",
    "report-closing.json, closing, report --json",
  })
  void run_word_printsGoldenText(String golden, String recording, String word) throws IOException {
    String[] given = (word + " " + folder.resolve(recording + ".jfr")).split(" ", -1);
    assertThat(words.run(given)).isZero();
    assertThat(words.said()).isEmpty();
    Golden.check(golden, words.printed());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sample", "full", "count", "closing"})
  void report_json_isOfItsSchema(String recording) throws IOException {
    assertThat(words.run("report", folder.resolve(recording + ".jfr").toString(), "--json"))
        .isZero();
    assertThat(ReportSchema.problemsOf(words.printed())).isEmpty();
  }

  @Test
  void export_collapsed_saysWhatHasNoBytes() throws IOException {
    String recording = folder.resolve("closing.jfr").toString();
    assertThat(words.run("export", "--to", "collapsed", recording)).isZero();
    Golden.check("export-collapsed.txt", words.printed());
    assertThat(words.said())
        .containsPattern(
            "It leaves out \\d+ stacks? with [\\d,]+ objects? that are open or were leaked")
        .contains("--to json has them")
        .hasLineCount(1);
  }

  @Test
  void export_json_isTheReport() {
    String recording = folder.resolve("sample.jfr").toString();
    words.run("report", "--json", recording);
    String report = words.printed();
    words.run("export", "--to", "json", recording);
    assertThat(words.printed()).isEqualTo(report);
  }

  @Test
  void diff_two_printsGoldenText() throws IOException {
    String base = folder.resolve("full.jfr").toString();
    String later = folder.resolve("later.jfr").toString();
    assertThat(words.run("diff", base, later)).isZero();
    Golden.check("diff.txt", words.printed());
    assertThat(words.run("diff", base, base)).isZero();
    assertThat(words.printed()).contains("Nothing that was tracked changed.");
  }

  @Test
  void help_listsEachWord_andEachHasItsOwn() {
    assertThat(words.run()).isZero();
    String help = words.printed();
    assertThat(words.run("--help")).isZero();
    assertThat(words.printed()).isEqualTo(help);
    Set<String> listed =
        Pattern.compile("^  ([a-z]+) ", Pattern.MULTILINE)
            .matcher(help)
            .results()
            .map(word -> word.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(listed).contains("run", "replay", "help");
    // The launcher starts replay, a program of its own.
    listed.removeAll(Set.of("replay", "version", "help"));
    assertThat(listed).hasSize(12);
    for (String word : listed) {
      assertThat(words.run(word, "--help")).as(word).isZero();
      assertThat(words.printed()).startsWith("Usage: offcut " + word);
    }
  }

  @Test
  void word_thatIsNone_isRefused() {
    assertThat(words.run("leak", "1")).isEqualTo(2);
    assertThat(words.printed()).isEmpty();
    assertThat(words.said())
        .isEqualTo("offcut: there is no command leak; `offcut help` lists the commands\n");
  }

  @Test
  void report_failOnLeak_is3() {
    String recording = folder.resolve("count.jfr").toString();
    assertThat(words.run("report", recording, "--fail-on-leak")).isEqualTo(3);
    assertThat(words.printed()).contains("LOST       1,000 confined arenas lost");
    assertThat(words.said()).contains("offcut: --fail-on-leak fails (exit code 3):");
  }
}
