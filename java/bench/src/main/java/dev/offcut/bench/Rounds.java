package dev.offcut.bench;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.Rows.Series;
import dev.offcut.bench.child.Figure;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs cases in interleaved rounds: a round of a case runs every implementation once, one right
 * after the other, each round in another order; then comes a round of the next case. What disturbs
 * the machine for a while disturbs a round of all implementations, not all rounds of one.
 */
final class Rounds {
  /** Runs one child. */
  interface Runner {
    List<Figure> run(ChildRun run, long limitSeconds) throws ChildFailure;
  }

  private record Step(Case of, int round, ChildRun run) {}

  private final Runner runner;
  private final Budget budget;
  private final Progress progress;
  private final Consumer<String> problems;
  private final Samples samples = new Samples();
  private boolean failed;

  Rounds(Runner runner, Budget budget, Progress progress, Consumer<String> problems) {
    this.runner = runner;
    this.budget = budget;
    this.progress = progress;
    this.problems = problems;
  }

  Samples run(List<Case> cases) {
    List<Step> steps = plan(cases);
    List<ChildRun> left = new ArrayList<>(steps.stream().map(Step::run).toList());
    for (Step step : steps) {
      if (budget.allows(step.run())) {
        progress.show(step.of(), step.round(), step.run(), budget.secondsFor(left));
        measure(step);
      }
      left.removeFirst();
    }
    progress.end();
    reportMissing(steps);
    return samples;
  }

  /** Whether a child failed, or there was no time for one that had none to wait. */
  boolean isIncomplete() {
    return failed;
  }

  private static List<Step> plan(List<Case> cases) {
    List<Step> steps = new ArrayList<>();
    int rounds = cases.stream().mapToInt(Case::rounds).max().orElse(0);
    for (int round = 0; round < rounds; round++) {
      int first = joins(cases, round) ? round : 0;
      for (Case of : cases) {
        steps.addAll(roundOf(of, round, first));
      }
    }
    return steps;
  }

  /** Whether there are runs that waited for this round, which then is theirs alone. */
  private static boolean joins(List<Case> cases, int round) {
    return cases.stream().flatMap(of -> of.runs().stream()).anyMatch(r -> r.firstRound() == round);
  }

  private static List<Step> roundOf(Case of, int round, int first) {
    List<Step> steps = new ArrayList<>();
    for (ChildRun run : of.runs()) {
      if (first <= run.firstRound() && run.firstRound() <= round && round < of.rounds()) {
        steps.add(new Step(of, round, run));
      }
    }
    Collections.rotate(steps, -round);
    return steps;
  }

  private void measure(Step step) {
    double begun = budget.elapsedSeconds();
    try {
      take(step, runner.run(step.run(), budget.limitSeconds()));
    } catch (ChildFailure e) {
      failed = true;
      problems.accept(step.of().name() + ", " + step.run().label() + ": " + e.getMessage());
    }
    budget.took(step.run(), budget.elapsedSeconds() - begun);
  }

  private void take(Step step, List<Figure> figures) {
    for (Figure figure : figures) {
      Series series = Series.of(step.of(), step.run(), figure.metric());
      samples.add(series, step.round(), figure.value(), figure.unit());
    }
  }

  private void reportMissing(List<Step> steps) {
    Set<String> missing = new LinkedHashSet<>();
    for (Step step : steps) {
      if (!budget.ran(step.run())) {
        missing.add(step.of().name() + " under " + step.run().gc());
        failed |= step.run().firstRound() == 0;
      }
    }
    missing.forEach(what -> problems.accept(what + ": not all of it, there was no time left"));
  }

  /**
   * What is being measured and how long it will take. On a terminal one line that changes; else a
   * line for each round of a case, as for a log.
   */
  static final class Progress {
    private static final String REWRITE = "\r\033[K";

    private final PrintStream out;
    private final boolean terminal;
    private String last = "";

    Progress(PrintStream out, boolean terminal) {
      this.out = out;
      this.terminal = terminal;
    }

    void show(Case of, int round, ChildRun run, double secondsLeft) {
      String where = of.name() + ", round " + (round + 1) + " of " + of.rounds();
      String left = ", about " + time(secondsLeft) + " left";
      if (terminal) {
        out.print(REWRITE + where + ": " + run.label() + left);
        out.flush();
      } else if (!where.equals(last)) {
        out.println(where + left);
      }
      last = where;
    }

    /** A line that stays. */
    void say(String line) {
      end();
      out.println(line);
    }

    void end() {
      if (terminal) {
        out.print(REWRITE);
        out.flush();
      }
    }

    static String time(double seconds) {
      long whole = Math.round(seconds);
      return whole < 100 ? whole + " s" : Math.round(whole / 60.0) + " min";
    }
  }
}
