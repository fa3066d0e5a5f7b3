package dev.offcut.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "handles                        | unknown suite handles (known: handle",
        "--quick                        | which suite? (known: handle",
        "handle --case open_close,closed | unknown case closed (known: open_close, first,",
        "handle --fast                  | Unknown option: '--fast'",
      })
  void run_misuse_namesWhatIsKnownAndTheUsage(String arguments, String message) {
    assertThat(bench(arguments.split(" ", -1))).isEqualTo(2);
    assertThat(said()).contains(message, "Usage: offcut bench");
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
