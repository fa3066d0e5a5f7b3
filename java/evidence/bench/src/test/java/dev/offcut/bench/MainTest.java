package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private BenchRun run = new BenchRun(0, "", "");

  private int bench(String... args) {
    run = BenchRun.of(args);
    return run.status();
  }

  private String said() {
    return run.err();
  }

  private String printed() {
    return run.out();
  }

  @Test
  void run_unknownSuite_namesTheKnownAndTheUsage() {
    assertThat(bench("handles")).isEqualTo(2);
    assertThat(said())
        .contains(
            "unknown suite handles (known: handle",
            "run, leaks, go)",
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
    assertThat(said()).contains("unknown case closed (known: open_close, first, finalization,");
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
    assertThat(said()).contains("cannot write " + file);
    assertThat(printed()).isEmpty();
  }

  @Test
  void run_list_namesSuitesAndCases() {
    assertThat(bench("--list")).isZero();
    assertThat(printed())
        .contains("handle", "open_close", "finalization", "longmap", "put_remove_10k_lifo")
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
    assertThat(bench("longmap", "--quick", "--case", "add_remove", "--json", json.toString()))
        .as(said())
        .isZero();
    assertThat(printed()).contains("add_remove, 1 thread", "jdk-chm");
    assertThat(said()).contains("add_remove, round 1 of 1");
    String report = Files.readString(json);
    assertThat(Schemas.problemsOf(report, "bench.schema.json")).isEmpty();
    assertThat(new ObjectMapper().readTree(report).required("rows"))
        .extracting(row -> row.get("impl").textValue() + " " + row.get("metric").textValue())
        .contains("offcut ops_per_ms", "artemis alloc_bytes_per_op", "jdk-chm gc_count")
        .hasSizeBetween(12, 15);
  }
}
