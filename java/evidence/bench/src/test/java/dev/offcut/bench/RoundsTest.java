package dev.offcut.bench;

import static dev.offcut.bench.TestSuite.CPU;
import static dev.offcut.bench.TestSuite.caseOf;
import static dev.offcut.bench.TestSuite.series;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.child.Figure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Rounds rounds(Rounds.Runner runner) {
    return new Rounds(runner, () -> {}, new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private List<Figure> seven(ChildRun run) throws ChildFailure {
    ran.add(run.impl());
    if (run.impl().equals("fails") && ran.size() < 3) {
      throw new ChildFailure("as told");
    }
    return List.of(new Figure(CPU, 7, "ns"));
  }

  @Test
  void run_severalImplementations_takeTurnsInAnotherOrderEachRound() {
    Samples samples = rounds(this::seven).run(List.of(caseOf("one", 3, "a", "b", "c")));
    assertThat(ran).containsExactly("a", "b", "c", "b", "c", "a", "c", "a", "b");
    assertThat(samples.of(series("a", CPU))).hasSize(3).containsValues(7.0, 7.0, 7.0);
  }

  @Test
  void run_casesOfFewRounds_haveNoMore() {
    rounds(this::seven).run(List.of(caseOf("one", 1, "a"), caseOf("two", 2, "b")));
    assertThat(ran).containsExactly("a", "b", "b");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("one, round 1 of 1", "two, round 2 of 2");
  }

  @Test
  void run_childFails_othersGoOnAndTheRunSaysSo() {
    Rounds rounds = rounds(this::seven);
    Samples samples = rounds.run(List.of(caseOf("one", 2, "fails", "a")));
    assertThat(rounds.isIncomplete()).isTrue();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("one, fails: as told");
    assertThat(samples.of(series("fails", CPU))).containsOnlyKeys(1);
    assertThat(samples.of(series("a", CPU))).hasSize(2);
  }

  @Test
  void run_together_startsThemAtTheSameTime() {
    CyclicBarrier both = new CyclicBarrier(2);
    Rounds.Runner runner =
        run -> {
          try {
            both.await(1, TimeUnit.MINUTES);
            return List.of(new Figure(CPU, 1, "ns"));
          } catch (Exception e) {
            throw new ChildFailure("alone");
          }
        };
    Rounds rounds = rounds(runner);
    rounds.run(List.of(caseOf("one", 1, "a", "b").together(2)));
    assertThat(rounds.isIncomplete()).isFalse();
  }
}
