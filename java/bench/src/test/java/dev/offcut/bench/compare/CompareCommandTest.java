package dev.offcut.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.BenchRun;
import dev.offcut.bench.Schemas;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files beside it are samples: no number in them was measured. */
class CompareCommandTest {
  @TempDir private @Nullable Path temporary;

  private Path folder() {
    return Objects.requireNonNull(temporary);
  }

  static Path sample(String name) {
    try {
      return Path.of(
          Objects.requireNonNull(CompareCommandTest.class.getResource(name), name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file);
  }

  private Path changed(String from, String what, String to) throws IOException {
    String text = text(sample(from));
    assertThat(text).contains(what);
    return Files.writeString(folder().resolve("changed.json"), text.replace(what, to));
  }

  private static BenchRun compare(Path base, Path now) {
    return BenchRun.of("compare", base.toString(), now.toString());
  }

  @Test
  void compare_handle_isAsItWasAgreed() throws IOException {
    BenchRun run = compare(sample("handle-base.json"), sample("handle-new.json"));
    Path resources = Objects.requireNonNull(sample("handle-base.json").getParent());
    assertThat(run.out().replace(resources + "/", "")).isEqualTo(text(sample("handle.txt")));
    assertThat(run.status()).isEqualTo(3);
  }

  @Test
  void compare_go_isAsItWasAgreed() throws IOException {
    BenchRun run = compare(sample("go-base.json"), sample("go-new.json"));
    Path resources = Objects.requireNonNull(sample("go-base.json").getParent());
    assertThat(run.out().replace(resources + "/", "")).isEqualTo(text(sample("go.txt")));
    assertThat(run.status()).isZero();
  }

  @Test
  void compare_json_hasAllRowsAndKeepsToTheSchema() throws IOException {
    Path json = folder().resolve("changes.json");
    BenchRun run =
        BenchRun.of(
            "compare",
            sample("handle-base.json").toString(),
            sample("handle-new.json").toString(),
            "--json",
            json.toString());
    assertThat(run.status()).isEqualTo(3);
    assertThat(Schemas.problemsOf(text(json), "bench-compare.schema.json")).isEmpty();
    assertThat(text(json).lines().filter(line -> line.contains("\"verdict\""))).hasSize(9);
    assertThat(text(json)).contains("\"regressions\" : 2", "\"verdict\" : \"regression\"");
  }

  @Test
  void compare_aFileWithItself_isTheSame() {
    BenchRun run = compare(sample("handle-base.json"), sample("handle-base.json"));
    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("10 rows compared: 0 regressions of ours over 10 %, 10 unchanged");
  }

  @Test
  void compare_backwards_ofWhatBecameWorse_isBetter() {
    BenchRun run = compare(sample("handle-new.json"), sample("handle-base.json"));
    assertThat(run.out()).containsPattern("-23\\.1 % +\\S+ % +better");
  }

  @Test
  void compare_exactlyTheLimit_isNoRegression() throws IOException {
    Path now = changed("handle-base.json", "1000, \"unit\" : \"ops", "900, \"unit\" : \"ops");
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.out()).containsPattern("-10\\.0 % +worse");
    assertThat(run.status()).isZero();
  }

  /** Half as fast: jdk-cleaner and plain, or one of them. */
  @Test
  void compare_whatIsSlowerAsTheOthersAre_isNoRegression() throws IOException {
    String text =
        text(sample("handle-base.json"))
            .replace("\"value\" : 20, \"unit\" : \"ns\"", "\"value\" : 30, \"unit\" : \"ns\"")
            .replace("\"value\" : 10, \"unit\" : \"ns\"", "\"value\" : 15, \"unit\" : \"ns\"");
    Path now = Files.writeString(folder().resolve("slower.json"), text);
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.out()).containsPattern("offcut +cpu_ns_per_op .*\\+0\\.0 % +REGRESSION");
    assertThat(run.status()).isEqualTo(3);
    Files.writeString(
        now,
        text.replace("\"value\" : 3, \"unit\" : \"ns\"", "\"value\" : 4.4, \"unit\" : \"ns\""));
    run = compare(sample("handle-base.json"), now);
    assertThat(run.out())
        .containsPattern("offcut +cpu_ns_per_op .*\\+50\\.0 % +\\+46\\.7 % +as the others")
        .contains("0 regressions of ours over 10 %, 1 of ours worse, as others are, ");
    assertThat(run.status()).isZero();
  }

  @Test
  void compare_whatIsMuchSlowerThanTheOthers_isARegression() throws IOException {
    String text =
        text(sample("handle-base.json"))
            .replace("\"value\" : 20, \"unit\" : \"ns\"", "\"value\" : 24, \"unit\" : \"ns\"")
            .replace("\"value\" : 3, \"unit\" : \"ns\"", "\"value\" : 3.6, \"unit\" : \"ns\"")
            .replace("\"value\" : 10, \"unit\" : \"ns\"", "\"value\" : 13.5, \"unit\" : \"ns\"");
    Path now = Files.writeString(folder().resolve("slower.json"), text);
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.out()).containsPattern("\\+35\\.0 % +\\+20\\.0 % +REGRESSION");
    assertThat(run.status()).isEqualTo(3);
  }

  @Test
  void compare_rowsOfAnotherRuntimeThanTheRuns_nameIt() throws IOException {
    String own = "\"java 25.0.3+9\", \"os\"";
    List<Path> both = new ArrayList<>();
    for (String name : List.of("handle-base.json", "handle-new.json")) {
      String text = text(sample(name));
      assertThat(text).contains(own);
      String other = text.replace(own, "\"java 17.0.1+1\", \"os\"");
      both.add(Files.writeString(folder().resolve(name), other));
    }
    assertThat(compare(both.getFirst(), both.getLast()).out())
        .containsPattern("open_close, G1, 1 thread, java 25\\.0\\.3\\+9 +offcut .*REGRESSION");
  }

  @Test
  void compare_noFile_isSaidInASentence() {
    BenchRun run = compare(folder().resolve("none.json"), sample("handle-new.json"));
    assertThat(run.err()).isEqualTo("bench compare: there is no file " + folder() + "/none.json\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_noJson_isSaidInASentence() throws IOException {
    Path now = Files.writeString(folder().resolve("cut.json"), "{\"schema\":");
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.err()).startsWith("bench compare: " + now + " is no JSON: ").hasLineCount(1);
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_emptyFile_isSaidInASentence() throws IOException {
    Path now = Files.writeString(folder().resolve("empty.json"), "");
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.err()).isEqualTo("bench compare: " + now + " cannot be read: it is empty\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_otherSchema_isSaidInASentence() throws IOException {
    Path now = changed("handle-new.json", "offcut.bench/1", "offcut.bench/2");
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.err())
        .isEqualTo("bench compare: " + now + " is no offcut.bench/1: it is offcut.bench/2\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_aRowWithoutItsValue_isSaidInASentence() throws IOException {
    Path now = changed("handle-new.json", "\"value\" : 13, ", "");
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.err())
        .isEqualTo("bench compare: " + now + " is no offcut.bench/1: a number is missing: value\n");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_otherSuite_isSaidInASentence() {
    BenchRun run = compare(sample("handle-base.json"), sample("go-new.json"));
    assertThat(run.err()).contains(" is of suite handle and ", "give two runs of one suite");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_nothingInCommon_isSaidInASentence() throws IOException {
    Path now = changed("handle-new.json", "java 25.0.3+9", "java 26+1");
    BenchRun run = compare(sample("handle-base.json"), now);
    assertThat(run.err()).contains("compare runs of the same cases on the same runtime");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_unwritableJson_isSaid() {
    String base = sample("handle-base.json").toString();
    String file = folder().resolve("no").resolve("x.json").toString();
    BenchRun run = BenchRun.of("compare", base, base, "--json", file);
    assertThat(run.err()).contains("bench compare: cannot write " + file + ": no such directory");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void compare_oneFile_isMisuse() {
    BenchRun run = BenchRun.of("compare", sample("handle-base.json").toString());
    assertThat(run.err()).contains("Missing required parameter: 'B.json'", "Usage: offcut bench");
    assertThat(run.status()).isEqualTo(2);
  }
}
