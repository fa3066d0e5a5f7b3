package dev.offcut.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.replay.space.Policy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int replay(String... args) {
    return Main.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        args);
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void run_nothing_replaysExample2UnderAll() {
    assertThat(replay()).isZero();
    assertThat(printed())
        .contains("Example2 of JDK-8198423, class space 10 MiB", "small classes", "large classes")
        .containsPattern("fixed +3,000 +792 +41.3 %")
        .containsPattern("coalescing +3,000 +2,838")
        .contains("coalescing-ratio4", "coalescing-aligned-humongous", "fixed, at failure; a cell");
    assertThat(said()).isEmpty();
  }

  @Test
  void run_policies_areThoseAlone() {
    assertThat(replay("--policy", "coalescing,fixed", "--survivors", "16")).isZero();
    assertThat(printed())
        .contains("one closed arena in 16 stays")
        .containsPattern("(?s)\\ncoalescing +3,000 +792.*\\nfixed +3,000 +792")
        .doesNotContain("ratio4");
  }

  @Test
  void run_space_isThatLarge() {
    assertThat(replay("--policy", "fixed", "--space", "20M")).isZero();
    assertThat(printed()).contains("class space 20 MiB");
  }

  @Test
  void run_map_drawsAllMomentsAndBothSpaces() {
    assertThat(replay("--policy", "fixed", "--map")).isZero();
    assertThat(printed())
        .contains("fixed, before unloading", "fixed, after unloading", "fixed, at failure")
        .contains("fixed, outside, before unloading");
  }

  @Test
  void run_spaceThatIsTooSmall_saysSo() {
    assertThat(replay("--space", "1M", "--policy", "fixed")).isZero();
    assertThat(printed()).contains("fixed: class space was full before the large classes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--policy new     | unknown policy new (known: fixed, coalescing,",
        "--space much     | much is not a size; give a size such as 10M",
        "--space 1K       | 1K is too small: a class space has at least 1M",
        "--space 4G       | 4G is too large: a class space has at most 3G",
        "--space 1025K    | 1025K is not a multiple of 64K; 1088K is",
        "--survivors 0    | --survivors must be at least 1",
        "--survivors few  | few",
        "--fast           | --fast",
        "trace.jsonl      | trace.jsonl",
      })
  void run_misuse_isOneSentenceAndTheHelp(String arguments, String message) {
    assertThat(replay(arguments.split(" +", -1))).isEqualTo(2);
    assertThat(said()).startsWith("offcut: ").contains(message).endsWith("lists the options.\n");
    assertThat(said().lines()).hasSize(2);
    assertThat(printed()).isEmpty();
  }

  @Test
  void run_help_namesEveryOption() {
    assertThat(replay("--help")).isZero();
    assertThat(printed())
        .contains("--policy", "--space", "--survivors", "--map")
        .contains(Policy.names());
  }
}
