package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int bench(String... args) {
    return Main.run(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        args);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void run_unknownSuite_namesTheKnownAndTheUsage() {
    assertThat(bench("handles")).isEqualTo(2);
    assertThat(said())
        .contains(
            "unknown suite handles (known: handle",
            "replay, run, leaks, go)",
            "Usage: offcut bench");
  }

  @Test
  void run_noSuite_namesTheKnown() {
    assertThat(bench("--quick")).isEqualTo(2);
    assertThat(said()).contains("known: handle");
  }

  @Test
  void run_unknownCase_namesTheKnown() {
    assertThat(bench("handle", "--case", "open_close,closed")).isEqualTo(2);
    assertThat(said()).contains("unknown case closed (known: open_close, first, cleaner_64m,");
  }

  @Test
  void run_unknownOption_isMisuse() {
    assertThat(bench("handle", "--fast")).isEqualTo(2);
    assertThat(said()).contains("--fast", "Usage: offcut bench");
  }

  @Test
  void run_unwritableJson_isSaidBeforeMeasuring(@TempDir Path folder) {
    String file = folder.resolve("no").resolve("rows.json").toString();
    assertThat(bench("handle", "--json", file)).isEqualTo(1);
    assertThat(said()).contains("cannot write " + file + ": no such directory");
    assertThat(printed()).isEmpty();
  }

  @Test
  void run_list_namesSuitesAndCases() {
    assertThat(bench("--list")).isZero();
    assertThat(printed())
        .contains("handle", "open_close", "finalization", "register_oom", "live_3m")
        .contains("forgotten_1m", "threads_1000", "fifo_10k")
        .contains("longmap", "put_remove_10k_lifo", "jna_memory")
        .contains("memory", "arena_64", "burst_settle", "pinned")
        .contains("objectstream", "flat_10", "rmi_roundtrip", "appcds_1000")
        .contains("offcut bench go --list");
  }

  @Test
  void run_help_isNoError() {
    assertThat(bench("-h")).isZero();
    assertThat(printed())
        .contains("Usage: offcut bench", "--quick", "--json", "--case", "--list")
        .contains("offcut bench go");
  }

  @Test
  void run_oneQuickCase_writesTableAndJson(@TempDir Path folder) throws IOException {
    Path json = folder.resolve("rows.json");
    assertThat(bench("handle", "--quick", "--case", "fifo_10k", "--json", json.toString()))
        .isZero();
    assertThat(printed()).contains("fifo_10k, G1, 1 thread", "jdk-cleaner");
    assertThat(said()).contains("fifo_10k, round 1 of");
    String report = Files.readString(json);
    assertThat(Schemas.problemsOf(report, "bench.schema.json")).isEmpty();
    assertThat(new ObjectMapper().readTree(report).required("rows"))
        .extracting(row -> row.get("impl").textValue() + " " + row.get("metric").textValue())
        .contains("offcut cpu_ns_per_op", "jdk-cleaner alloc_bytes_per_op")
        .hasSize(8);
  }

  /** A bar about a JDK that is not there is neither met nor missed, and the run says so. */
  @Test
  void measure_barsAboutAnotherJdk_areSaidNotToBeJudged() {
    BenchRun run = BenchRun.of("memory", "--quick", "--case", "arena_1x1k");
    String other = Jdk.OWN.feature() < 28 ? "JDK 28 or newer" : "JDK 25 to 27";
    assertThat(run.err())
        .contains("bars about " + other + " are not judged: 1; this run has no such JDK");
    assertThat(run.out()).containsOnlyOnce("offcut / jdk-ofConfined ≤ 0.75");
  }
}
