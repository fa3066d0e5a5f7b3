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
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
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

  /** A child whose figure the test knows: the rounds of it that were run, and what is next. */
  private Rounds of(double seconds, ToDoubleFunction<String> value) {
    Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()), false);
    return new Rounds(
        (run, limit) -> {
          now += TimeUnit.SECONDS.toNanos(order.size() < slowFirst ? 2 : 1);
          order.add(run.impl());
          return List.of(new Figure("cpu_ns_per_op", value.applyAsDouble(run.impl()), "ns"));
        },
        new Budget(seconds, () -> now),
        silent,
        problems::add);
  }

  /** So many children take two seconds, those after them one. */
  private int slowFirst;

  private static final Bar HALF =
      new Bar.Place("one", "cpu_ns_per_op", "G1", 1).atMost(0.5, "ours", "peer");

  private long ran(String impl) {
    return order.stream().filter(impl::equals).count();
  }

  @Test
  void run_barFarFromItsLimit_isDecidedAtTheFirstLook_othersHaveTheirRounds() {
    Samples samples =
        of(1000, impl -> impl.equals("ours") ? 10 + 0.1 * ran("ours") : 40)
            .run(
                List.of(caseOf("one", 2, run("ours", 0), run("peer", 0), run("more", 0))),
                List.of(HALF));
    assertThat(HALF.decide(samples).decided()).isEqualTo(Bar.Decided.MET);
    assertThat(ran("ours")).isEqualTo(3);
    assertThat(ran("peer")).isEqualTo(3);
    assertThat(ran("more")).isEqualTo(2);
  }

  @Test
  void run_barAtItsLimit_goesOnToTheLastLook() {
    Rounds rounds =
        of(1000, impl -> impl.equals("ours") ? 20 + (ran("ours") % 2 == 0 ? 3 : -3) : 40);
    Samples samples =
        rounds.run(List.of(caseOf("one", 3, run("ours", 0), run("peer", 0))), List.of(HALF));
    assertThat(ran("peer")).isEqualTo(Statistics.LOOKS.getLast().longValue());
    Bar.Decision decision = HALF.decide(samples);
    assertThat(decision.decided()).isEqualTo(Bar.Decided.OPEN);
    assertThat(decision.rounds()).isEqualTo(Statistics.LOOKS.getLast());
  }

  @Test
  void run_barAtItsLimit_endsInTime_andOnlyWholeRoundsCount() {
    Rounds rounds =
        of(11.5, impl -> impl.equals("ours") ? 20 + (ran("ours") % 2 == 0 ? 3 : -3) : 40);
    rounds.run(List.of(caseOf("one", 3, run("ours", 0), run("peer", 0))), List.of(HALF));
    assertThat(ran("ours")).isEqualTo(5);
    assertThat(ran("peer")).isEqualTo(5);
    assertThat(rounds.isIncomplete()).isFalse();
  }

  /** Ten runs of a second each: two rounds of all and one of the bar are 22 s. */
  @Test
  void run_littleTime_isOneRoundOfAll_thenThoseOfTheBars() {
    ChildRun[] runs = new ChildRun[10];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = run(i == 0 ? "ours" : i == 1 ? "peer" : "other" + i, 0);
    }
    Case of = caseOf("one", 3, runs);
    Rounds rounds = of(21.5, impl -> impl.equals("ours") ? 10 : 40);
    Samples samples = rounds.run(List.of(of), List.of(HALF));
    assertThat(HALF.decide(samples).decided()).isEqualTo(Bar.Decided.MET);
    assertThat(order.subList(10, 14)).containsExactlyInAnyOrder("ours", "peer", "ours", "peer");
    assertThat(ran("other5")).isEqualTo(1);
    assertThat(ran("ours")).isEqualTo(3);
    assertThat(rounds.leftOut()).containsExactly("one: fewer than 3 rounds, for want of time");
    assertThat(rounds.isIncomplete()).isFalse();
  }

  /** Every child of the first round runs, even without time. */
  @Test
  void run_noTime_isOneWholeRound_andItsChildrenMayEnd() {
    List<Long> limits = new ArrayList<>();
    Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()), false);
    Rounds rounds =
        new Rounds(
            (run, limit) -> {
              limits.add(limit);
              return child(run, limit);
            },
            new Budget(1.5, () -> now),
            silent,
            problems::add);
    rounds.run(
        List.of(caseOf("one", 3, run("ours", 0), run("peer", 0)), caseOf("two", 3, run("a", 0))),
        List.of(HALF));
    assertThat(order).containsExactly("ours", "peer", "a");
    assertThat(limits).containsOnly(Budget.HUNG_SECONDS);
    assertThat(rounds.leftOut())
        .containsExactly(
            "one: fewer than 3 rounds, for want of time",
            "two: fewer than 3 rounds, for want of time");
    assertThat(problems).isEmpty();
    assertThat(rounds.isIncomplete()).isFalse();
  }

  /** Its pairs would never be as many as a look asks for. */
  @Test
  void run_childOfABarFails_theBarAsksForNoMoreRounds() {
    Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()), false);
    Rounds rounds =
        new Rounds(
            (run, limit) -> {
              order.add(run.impl());
              if (run.impl().equals("ours") && ran("ours") == 2) {
                throw new ChildFailure("as told");
              }
              return List.of(new Figure("cpu_ns_per_op", 20 + ran("ours") % 2, "ns"));
            },
            new Budget(1000, () -> now),
            silent,
            problems::add);
    rounds.run(List.of(caseOf("one", 3, run("ours", 0), run("peer", 0))), List.of(HALF));
    assertThat(ran("peer")).isEqualTo(3);
    assertThat(problems).hasSize(1);
  }

  @Test
  void run_caseOfOneRound_isNotRepeatedForItsBar() {
    of(1000, impl -> 10)
        .run(List.of(caseOf("one", 1, run("ours", 0), run("peer", 0))), List.of(HALF));
    assertThat(ran("ours")).isEqualTo(1);
  }

  @Test
  void run_baselineOfADerivedMetric_comesAlongInTheRest() {
    Case of =
        new Case(
            "one",
            "a case",
            List.of("cpu_ns_per_op", "times"),
            2,
            List.of(run("alone", 0), run("ours", 0), run("other", 0)),
            List.of(Case.Derived.ratio("times", "cpu_ns_per_op", "alone")));
    Bar times = new Bar.Place("one", "times", "G1", 1).atMost(1, "ours");
    slowFirst = 3;
    Samples samples =
        of(13, impl -> impl.equals("alone") ? 40 : 10).run(List.of(of), List.of(times));
    assertThat(order.subList(0, 3)).containsExactly("alone", "ours", "other");
    assertThat(order.subList(3, 7)).containsOnly("alone", "ours");
    assertThat(order.subList(7, order.size())).containsExactlyInAnyOrder("alone", "other");
    assertThat(times.decide(samples).rounds()).isEqualTo(3);
    assertThat(samples.rows(of, new TestSuite()))
        .filteredOn(row -> row.series().metric().equals("times"))
        .extracting(row -> row.series().impl() + " " + row.value() + " " + row.rounds())
        .containsExactly("ours 0.25 3", "other 0.25 2");
  }

  @Test
  void run_caseThatMostlyWaits_runsFourAtATimeInEachRound() {
    CyclicBarrier four = new CyclicBarrier(4);
    AtomicInteger rests = new AtomicInteger();
    Rounds.Runner runner =
        new Rounds.Runner() {
          @Override
          public List<Figure> run(ChildRun run, long limit) throws ChildFailure {
            try {
              four.await(10, TimeUnit.SECONDS);
              return List.of(new Figure("cpu_ns_per_op", 1, "ns"));
            } catch (Exception e) {
              throw new ChildFailure("alone: " + e);
            }
          }

          @Override
          public void atRest() {
            rests.incrementAndGet();
          }
        };
    ChildRun[] runs =
        IntStream.range(0, 8).mapToObj(i -> TestSuite.run("i" + i, 0)).toArray(ChildRun[]::new);
    Case of = caseOf("one", 2, runs).together(Case.WAITING);
    List<Bar> bars =
        IntStream.range(0, 8)
            .mapToObj(i -> new Bar.Place("one", "cpu_ns_per_op", "G1", 1).exactly(9, "i" + i))
            .toList();
    Progress silent = new Progress(new PrintStream(OutputStream.nullOutputStream()), false);
    Budget budget = new Budget(1000, System::nanoTime);
    Samples samples = new Rounds(runner, budget, silent, problems::add).run(List.of(of), bars);
    assertThat(problems).isEmpty();
    assertThat(samples.rows(of, new TestSuite())).hasSize(8);
    assertThat(bars).allMatch(bar -> bar.decide(samples).rounds() == 3);
    assertThat(rests).hasValue(2 * 3);
  }

  @Test
  void took_childThatRanWithOthers_hasItsPartOfTheTime() {
    Budget budget = new Budget(10, () -> 0);
    ChildRun waits = run("waits", 0);
    budget.took(waits, 8, 4);
    assertThat(budget.expectedSeconds(waits)).isEqualTo(2);
    assertThat(budget.allows(List.of(waits, waits, waits, waits))).isTrue();
    assertThat(budget.expectedSeconds(run("other", 0))).isEqualTo(8);
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
