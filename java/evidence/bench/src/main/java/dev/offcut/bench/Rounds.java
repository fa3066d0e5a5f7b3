package dev.offcut.bench;

import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.Samples.Series;
import dev.offcut.bench.child.Figure;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs cases in interleaved rounds: a round of a case runs every implementation once, one right
 * after the other, each round in another order; then comes a round of the next case. What disturbs
 * the machine for a while disturbs a round of all implementations, not all rounds of one.
 */
final class Rounds {
  /** Runs a child to its end. */
  interface Runner {
    List<Figure> run(ChildRun run) throws ChildFailure;
  }

  private final Runner runner;
  private final Runnable atRest;
  private final PrintStream err;
  private final Samples samples = new Samples();
  private boolean failed;

  /** {@code atRest} is called before children are run, while none runs. */
  Rounds(Runner runner, Runnable atRest, PrintStream err) {
    this.runner = runner;
    this.atRest = atRest;
    this.err = err;
  }

  Samples run(List<Case> cases) {
    int rounds = cases.stream().mapToInt(Case::rounds).max().orElse(0);
    for (int round = 0; round < rounds; round++) {
      for (Case of : cases) {
        if (round < of.rounds()) {
          round(of, round);
        }
      }
    }
    return samples;
  }

  boolean isIncomplete() {
    return failed;
  }

  private void round(Case of, int round) {
    err.printf("%s, round %d of %d%n", of.name(), round + 1, of.rounds());
    List<ChildRun> runs = new ArrayList<>(of.runs());
    Collections.rotate(runs, -round);
    for (int from = 0; from < runs.size(); from += of.atATime()) {
      measure(of, round, runs.subList(from, Math.min(from + of.atATime(), runs.size())));
    }
  }

  /** All of them at the same time. */
  private void measure(Case of, int round, List<ChildRun> runs) {
    atRest.run();
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      List<Callable<List<Figure>>> all = new ArrayList<>();
      runs.forEach(run -> all.add(() -> runner.run(run)));
      List<Future<List<Figure>>> ended = threads.invokeAll(all);
      for (int i = 0; i < runs.size(); i++) {
        take(of, round, runs.get(i), ended.get(i));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void take(Case of, int round, ChildRun run, Future<List<Figure>> ended)
      throws InterruptedException {
    try {
      for (Figure figure : ended.get()) {
        Series series = new Series(of.name(), run.impl(), run.threads(), figure.metric());
        samples.add(series, round, figure.value(), figure.unit());
      }
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof ChildFailure failure)) {
        throw new IllegalStateException(e.getCause());
      }
      failed = true;
      err.println("bench: " + of.name() + ", " + run.impl() + ": " + failure.getMessage());
    }
  }
}
