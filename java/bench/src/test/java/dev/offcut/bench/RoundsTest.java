package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.caseOf;
import static dev.offcut.bench.TestSuite.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.Rounds.Progress;
import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.child.Figure;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private final List<String> order = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private long now;

  private Rounds rounds(double seconds) {
    Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()), false);
    return new Rounds(this::child, new Budget(seconds, () -> now), silent, problems::add);
  }

  /** Takes a second, and reports how often it was run. */
  private List<Figure> child(ChildRun run, long limit) throws ChildFailure {
    now += TimeUnit.SECONDS.toNanos(1);
    order.add(run.impl());
    if (run.impl().equals("broken")) {
      throw new ChildFailure("as told");
    }
    return List.of(new Figure("cpu_ns_per_op", order.size(), "ns"));
  }

  @Test
  void run_roundsOfOneCase_areInterleavedInTurn() {
    rounds(100).run(List.of(caseOf("one", 3, run("a", 0), run("b", 0), run("c", 0))));
    assertThat(String.join("", order)).isEqualTo("abcbcacab");
  }

  @Test
  void run_roundsOfSeveralCases_alternate() {
    rounds(100).run(List.of(caseOf("one", 2, run("a", 0)), caseOf("two", 1, run("b", 0))));
    assertThat(order).containsExactly("a", "b", "a");
  }

  @Test
  void run_runThatWaits_comesAloneBeforeRepeats() {
    rounds(100)
        .run(List.of(caseOf("one", 3, run("a", 0), run("b", 1)), caseOf("two", 3, run("c", 0))));
    assertThat(String.join("", order)).startsWith("acb").hasSize(6);
  }

  @Test
  void run_samples_becomeMedianRows() {
    Case of = caseOf("one", 3, run("a", 0));
    List<Row> rows = rounds(100).run(List.of(of)).rows(of, new TestSuite());
    assertThat(rows).hasSize(1);
    assertThat(rows.getFirst().value()).isEqualTo(2);
    assertThat(rows.getFirst().spread()).isEqualTo(0.5);
  }

  @Test
  void run_noTimeLeft_endsInTimeAndSaysWhatIsMissing() {
    Rounds rounds = rounds(2.5);
    rounds.run(List.of(caseOf("one", 3, run("a", 0), run("b", 0), run("c", 0))));
    assertThat(order).containsExactly("a", "b");
    assertThat(problems).containsExactly("one under G1: not all of it, there was no time left");
    assertThat(rounds.isIncomplete()).isTrue();
  }

  @Test
  void run_noTimeLeftForWhatCanWait_isComplete() {
    Rounds rounds = rounds(1.5);
    rounds.run(List.of(caseOf("one", 2, run("a", 0), run("b", 1, "Parallel"))));
    assertThat(problems).hasSize(1);
    assertThat(rounds.isIncomplete()).isFalse();
  }

  @Test
  void run_childFails_othersGoOn() {
    Rounds rounds = rounds(100);
    rounds.run(List.of(caseOf("one", 1, run("broken", 0), run("b", 0))));
    assertThat(order).containsExactly("broken", "b");
    assertThat(problems).containsExactly("one, G1, 1 thread, broken: as told");
    assertThat(rounds.isIncomplete()).isTrue();
  }
}
