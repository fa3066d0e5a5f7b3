package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private static final Case HEAP =
      new Case(
          "live",
          "a case",
          List.of("extra", "bytes"),
          2,
          List.of(run("plain", 0), run("ours", 0)),
          List.of(new Case.Derived("extra", "bytes", "plain")));

  private static Series bytes(String impl) {
    return new Series("live", impl, 1, "G1", Jdk.OWN, "bytes");
  }

  @Test
  void rows_derivedMetric_isTheExcessInTheSameRound() {
    Samples samples = new Samples();
    samples.add(bytes("plain"), 0, 24, "B");
    samples.add(bytes("ours"), 0, 64, "B");
    samples.add(bytes("plain"), 1, 20, "B");
    samples.add(bytes("ours"), 1, 64, "B");
    List<Row> rows = samples.rows(HEAP, new TestSuite());
    assertThat(rows)
        .extracting(row -> row.series().impl() + " " + row.series().metric())
        .containsExactly("plain bytes", "ours extra", "ours bytes");
    assertThat(rows.get(1).value()).isEqualTo(42);
    assertThat(rows.get(1).unit()).isEqualTo("B");
  }

  @Test
  void rows_baselineMissingInOneRound_leavesThatRoundOut() {
    Samples samples = new Samples();
    samples.add(bytes("ours"), 0, 64, "B");
    samples.add(bytes("plain"), 1, 24, "B");
    samples.add(bytes("ours"), 1, 66, "B");
    Row extra = samples.rows(HEAP, new TestSuite()).get(1);
    assertThat(extra.series().metric()).isEqualTo("extra");
    assertThat(extra.value()).isEqualTo(42);
  }

  @Test
  void rows_derivedRatio_isThatOfTheSameRoundWithItsInterval() {
    Case ratio =
        new Case(
            "live",
            "a case",
            List.of("times", "times_low", "times_high"),
            3,
            List.of(run("plain", 0), run("ours", 0)),
            List.of(Case.Derived.ratio("times", "bytes", "plain")));
    Samples samples = new Samples();
    for (int round = 0; round < 3; round++) {
      samples.add(bytes("plain"), round, 10 * (round + 1), "B");
      samples.add(bytes("ours"), round, 10 * (round + 1) + 2, "B");
    }
    List<Row> rows = samples.rows(ratio, new TestSuite());
    assertThat(rows).extracting(Row::unit).containsOnly("ratio");
    assertThat(rows).extracting(row -> row.series().impl()).containsOnly("ours");
    assertThat(rows).extracting(Row::value).containsExactly(1.1, 32.0 / 30, 1.2);
  }
}
