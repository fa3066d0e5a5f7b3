package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Rows.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableReportTest {
  private static List<String> printed(List<Case> cases, Row... rows) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    Rows all = new Rows(List.of(rows));
    List<Bar.Judgement> bars =
        cases.isEmpty()
            ? List.of()
            : new TestSuite().bars().stream().map(bar -> bar.judge(all, new Samples())).toList();
    new TableReport(out, all).print(new TestSuite(), cases, bars);
    return bytes.toString(StandardCharsets.UTF_8).lines().map(String::stripTrailing).toList();
  }

  private static List<Case> one() {
    return new TestSuite().cases(false);
  }

  @Test
  void print_rows_makeATableAndVerdicts() {
    assertThat(printed(one(), row("ours", "cpu_ns_per_op", 9), row("peer", "cpu_ns_per_op", 20)))
        .containsExactly(
            "one, G1, 1 thread: a case",
            "        cpu_ns_per_op",
            "  ours              9",
            "  peer             20",
            "",
            "Bars, from the rows of this run alone",
            "  one, G1, 1 thread, cpu_ns_per_op: ours / peer ≤ 0.5  0.450  met, limit: too few to decide, 0 rounds");
  }

  @Test
  void print_peerAhead_isSaid() {
    assertThat(printed(one(), row("ours", "cpu_ns_per_op", 9), row("peer", "cpu_ns_per_op", 8)))
        .contains(
            "Where a peer is ahead",
            "  one, G1, 1 thread, cpu_ns_per_op: peer 8, ours 9",
            "  one, G1, 1 thread, cpu_ns_per_op: ours / peer ≤ 0.5  1.13  NOT met, limit: too few to decide, 0 rounds");
  }

  @Test
  void print_moreMetricsThanImplementations_putsMetricsInTheLines() {
    assertThat(printed(one(), row("ours", "cpu_ns_per_op", 9), row("ours", "reclaimed", 8)))
        .contains("                 ours", "  cpu_ns_per_op     9", "  reclaimed         8");
  }

  @Test
  void print_caseLeftOut_isNotJudged() {
    assertThat(printed(List.of())).isEmpty();
  }
}
