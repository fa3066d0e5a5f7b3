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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs cases in interleaved rounds, as many as it takes to decide the bars: a round of a case runs
 * every implementation once, one right after the other, each round in another order; then comes a
 * round of the next case. What disturbs the machine for a while disturbs a round of all
 * implementations, not all rounds of one.
 */
final class Rounds {
  /** Runs children. */
  interface Runner {
    /** Runs one child; some threads may each run one. */
    List<Figure> run(ChildRun run, long limitSeconds) throws ChildFailure;

    /** Called before a child, or some that run together, while no child runs. */
    default void atRest() {}
  }

  private record Step(Case of, int round, ChildRun run) {}

  private final Runner runner;
  private final Budget budget;
  private final Progress progress;
  private final Consumer<String> problems;
  private final Samples samples = new Samples();
  private final List<Step> skipped = new ArrayList<>();
  private boolean failed;

  Rounds(Runner runner, Budget budget, Progress progress, Consumer<String> problems) {
    this.runner = runner;
    this.budget = budget;
    this.progress = progress;
    this.problems = problems;
  }

  /** All rounds of all cases, in order, each child for which there is time: the quick form. */
  Samples run(List<Case> cases) {
    List<Step> steps = plan(cases);
    List<ChildRun> left = new ArrayList<>(steps.stream().map(Step::run).toList());
    for (Step step : steps) {
      if (budget.allows(step.run())) {
        progress.show(step.of(), step.round(), step.run(), budget.secondsFor(left));
        measure(step, budget.limitSeconds());
      } else {
        skipped.add(step);
      }
      left.removeFirst();
    }
    progress.end();
    reportMissing();
    return samples;
  }

  /**
   * As many rounds as it takes until the bars are decided, up to the last of {@link
   * Statistics#LOOKS}, and, but for the first, while there is time:
   *
   * <ol>
   *   <li>a round of all, so that every row is there;
   *   <li>the rounds that every case has, as far as time leaves the bars their first look;
   *   <li>further rounds of what open bars are about, until all are decided;
   *   <li>if the first ones were cut short, the rest of them.
   * </ol>
   */
  Samples run(List<Case> cases, List<Bar> bars) {
    int rounds = cases.stream().mapToInt(Case::rounds).max().orElse(0);
    int round = 0;
    while (round < rounds && (round == 0 || fits(cases, bars, round))) {
      for (Case of : cases) {
        measureAll(roundOf(of, round, 0));
      }
      round++;
    }
    decide(cases, bars, round);
    for (int more = round; more < rounds; more++) {
      for (Case of : cases) {
        rest(of, more);
      }
    }
    progress.end();
    reportMissing();
    return samples;
  }

  /** Whether there is time for a round of all, and for the rounds up to the bars' first look. */
  private boolean fits(List<Case> cases, List<Bar> bars, int round) {
    List<ChildRun> runs = new ArrayList<>();
    for (Case of : cases) {
      roundOf(of, round, 0).forEach(step -> runs.add(step.run()));
      for (int later = round + 1; later < Statistics.LOOKS.getFirst(); later++) {
        runs.addAll(runsOf(of, bars));
      }
    }
    return budget.allows(runs);
  }

  private void decide(List<Case> cases, List<Bar> bars, int reached) {
    List<Bar> open = new ArrayList<>(bars);
    for (int round = 1; round < Statistics.LOOKS.getLast() && !open.isEmpty(); round++) {
      for (Case of : cases) {
        if (round < Math.min(of.rounds(), reached)) {
          continue; // it had this round
        }
        int soFar = round;
        samples.derive(of);
        open.removeIf(bar -> bar.caseName().equals(of.name()) && isClosed(bar, soFar));
        if (!furtherRound(of, round, open)) {
          open.removeIf(bar -> bar.caseName().equals(of.name()));
        }
      }
    }
  }

  /** Whether it is decided, or never will be: a round of it failed. */
  private boolean isClosed(Bar bar, int rounds) {
    Bar.Decision decision = bar.decide(samples);
    boolean looked = Statistics.LOOKS.contains(rounds);
    return decision.rounds() < rounds || (looked && decision.decided() != Bar.Decided.OPEN);
  }

  /** A round of what open bars are about; false if there is no time for all of it, or no run. */
  private boolean furtherRound(Case of, int round, List<Bar> open) {
    List<ChildRun> runs = runsOf(of, open);
    if (runs.isEmpty() || !budget.allows(runs)) {
      return false;
    }
    Collections.rotate(runs, -round);
    measureAll(runs.stream().map(run -> new Step(of, round, run)).toList());
    return true;
  }

  private static List<ChildRun> runsOf(Case of, List<Bar> bars) {
    return of.runs().stream()
        .filter(run -> of.isRepeated() && bars.stream().anyMatch(bar -> bar.needs(of, run)))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /**
   * A round of what has fewer of them, if there is time for all of it, with what it is compared
   * with. It has a number of its own: the rounds of the bars' pairs are not touched.
   */
  private void rest(Case of, int round) {
    List<ChildRun> few =
        of.runs().stream().filter(run -> round < of.rounds() && count(of, run) <= round).toList();
    if (few.isEmpty()) {
      return;
    }
    List<ChildRun> runs =
        of.runs().stream()
            .filter(run -> few.contains(run) || of.isBaseline(run))
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.rotate(runs, -round);
    List<Step> steps =
        runs.stream().map(run -> new Step(of, Statistics.LOOKS.getLast() + round, run)).toList();
    if (budget.allows(runs)) {
      measureAll(steps);
    } else {
      skipped.addAll(steps);
    }
  }

  private int count(Case of, ChildRun run) {
    return of.metrics().stream()
        .mapToInt(metric -> samples.of(Series.of(of, run, metric)).size())
        .max()
        .orElse(0);
  }

  /**
   * Whether a child failed or, in the quick form, a child that waits for no later round had no
   * time.
   */
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

  private void measure(Step step, long limitSeconds) {
    runner.atRest();
    take(step, attempt(step, limitSeconds), 1);
  }

  /** One after the other, or as many at a time as their case allows. */
  private void measureAll(List<Step> steps) {
    for (int from = 0; from < steps.size(); ) {
      Step first = steps.get(from);
      int to = Math.min(from + first.of().atATime(), steps.size());
      int round = first.round() % Statistics.LOOKS.getLast();
      progress.show(first.of(), round, first.run(), budget.secondsLeft());
      measure(steps.subList(from, to));
      from = to;
    }
  }

  /** Measures all of them at the same time. */
  private void measure(List<Step> steps) {
    runner.atRest();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      List<Future<Attempt>> attempts = new ArrayList<>();
      for (Step step : steps) {
        attempts.add(threads.submit(() -> attempt(step, Budget.HUNG_SECONDS)));
      }
      for (int i = 0; i < steps.size(); i++) {
        take(steps.get(i), attempts.get(i).get(), steps.size());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** What became of a child. */
  private record Attempt(List<Figure> figures, @Nullable ChildFailure failure, double seconds) {}

  private Attempt attempt(Step step, long limitSeconds) {
    double begun = budget.elapsedSeconds();
    List<Figure> figures = List.of();
    ChildFailure failure = null;
    try {
      figures = runner.run(step.run(), limitSeconds);
    } catch (ChildFailure e) {
      failure = e;
    }
    return new Attempt(figures, failure, budget.elapsedSeconds() - begun);
  }

  private void take(Step step, Attempt attempt, int together) {
    budget.took(step.run(), attempt.seconds, together);
    ChildFailure failure = attempt.failure;
    if (failure != null) {
      failed = true;
      problems.accept(step.of().name() + ", " + step.run().label() + ": " + failure.getMessage());
    }
    for (Figure figure : attempt.figures) {
      Series series = Series.of(step.of(), step.run(), figure.metric());
      samples.add(series, step.round(), figure.value(), figure.unit());
    }
  }

  private void reportMissing() {
    Set<String> missing = new LinkedHashSet<>();
    for (Step step : skipped) {
      if (!budget.ran(step.run())) {
        missing.add(step.of().name() + " under " + step.run().gc());
        failed |= step.run().firstRound() == 0;
      }
    }
    missing.forEach(what -> problems.accept(what + ": not all of it, there was no time left"));
  }

  /** Sentences about what there was no time for. */
  List<String> leftOut() {
    return skipped.stream()
        .map(
            step ->
                budget.ran(step.run())
                    ? step.of().name() + ": fewer than " + step.of().rounds() + " rounds"
                    : step.of().name() + ", " + step.run().label() + ": not measured")
        .distinct()
        .map(what -> what + ", for want of time")
        .toList();
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
      String rounds = round < of.rounds() ? " of " + of.rounds() : ", until its bars are decided";
      String where = of.name() + ", round " + (round + 1) + rounds;
      String left = Double.isInfinite(secondsLeft) ? "" : ", about " + time(secondsLeft) + " left";
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
