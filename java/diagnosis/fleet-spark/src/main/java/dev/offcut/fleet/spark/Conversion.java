package dev.offcut.fleet.spark;

import dev.offcut.command.read.Failure;
import dev.offcut.fleet.Census;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.Labels;
import dev.offcut.fleet.Source;
import dev.offcut.fleet.duckdb.AddStep;
import dev.offcut.fleet.duckdb.AddStep.Outcome;
import dev.offcut.fleet.duckdb.DuckDbWriter;
import dev.offcut.fleet.duckdb.FleetAdd;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.LongAccumulator;

/**
 * Adds sources to a fleet on the executors, by the code that adds them on one machine. A task has a
 * few sources. It writes the same files however often it is run, so a task that is run again, or
 * twice at the same time, changes nothing.
 */
final class Conversion implements FlatMapFunction<Iterator<List<List<String>>>, Outcome> {
  private static final long serialVersionUID = 1;

  /** A task has so many bytes to read: a few seconds of work. */
  private static final long TASK_BYTES = 64L << 20;

  /** Tasks of each core, so that the cores end at about the same time. */
  private static final int TASKS_OF_CORE = 4;

  private final AddStep step;
  private final LongAccumulator sources;

  private Conversion(AddStep step, LongAccumulator sources) {
    this.step = step;
    this.sources = sources;
  }

  static FleetAdd.Done run(
      SparkSession session,
      SparkEngine engine,
      List<Source> sources,
      Fleet fleet,
      Labels labels,
      FleetAdd.Listener listener)
      throws Failure {
    Census census = Census.open(fleet, engine);
    LongAccumulator doneSources = session.sparkContext().longAccumulator("sources");
    List<List<List<String>>> tasks = tasks(sources, session.sparkContext().defaultParallelism());
    if (tasks.isEmpty()) {
      return new FleetAdd.Done(0, 0, 0);
    }
    JavaFutureAction<List<Outcome>> running =
        new JavaSparkContext(session.sparkContext())
            .parallelize(tasks, tasks.size())
            .mapPartitions(new Conversion(AddStep.of(census, fleet, labels), doneSources))
            .collectAsync();
    while (true) {
      try {
        return done(running.get(1, TimeUnit.SECONDS), listener);
      } catch (TimeoutException e) {
        // A task that was run again is in this sum twice.
        int most = Math.toIntExact(Math.min(doneSources.value(), sources.size()));
        listener.progress(FleetAdd.progress(most, sources.size()));
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause
            ? SparkCluster.failed(cause)
            : SparkCluster.failed(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Failure.other("interrupted; the same command goes on from here");
      }
    }
  }

  private static FleetAdd.Done done(List<Outcome> outcomes, FleetAdd.Listener listener)
      throws Failure {
    int added = 0;
    int known = 0;
    int skipped = 0;
    Set<String> hashes = new HashSet<>();
    for (Outcome outcome : outcomes) {
      switch (outcome.what()) {
        case ADDED -> {
          // Two of the same content may have been given.
          if (hashes.add(outcome.hash())) {
            added++;
          } else {
            known++;
          }
        }
        case KNOWN -> known++;
        case SKIPPED -> {
          skipped++;
          listener.skipped(outcome.sentence());
        }
        case FAILED -> throw Failure.other(outcome.sentence());
      }
    }
    return new FleetAdd.Done(added, known, skipped);
  }

  /** The files of the sources of each task, large ones first. */
  private static List<List<List<String>>> tasks(List<Source> sources, int cores) {
    List<Source> largestFirst = new ArrayList<>(sources);
    largestFirst.sort(Comparator.comparingLong(Source::bytes).reversed());
    long all = sources.stream().mapToLong(Source::bytes).sum();
    long most = Math.min(TASK_BYTES, all / ((long) TASKS_OF_CORE * Math.max(1, cores)));
    List<List<List<String>>> tasks = new ArrayList<>();
    List<List<String>> task = new ArrayList<>();
    long bytes = 0;
    for (Source source : largestFirst) {
      if (!task.isEmpty() && bytes + source.bytes() > most) {
        tasks.add(task);
        task = new ArrayList<>();
        bytes = 0;
      }
      task.add(source.files().stream().map(Path::toString).toList());
      bytes += source.bytes();
    }
    if (!task.isEmpty()) {
      tasks.add(task);
    }
    return tasks;
  }

  /** On an executor. */
  @Override
  public Iterator<Outcome> call(Iterator<List<List<String>>> tasks) throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    try {
      // Who loaded the first driver of this JVM did not see this jar.
      Class.forName("org.duckdb.DuckDBDriver", true, Conversion.class.getClassLoader());
      Fleet fleet = step.open();
      try (DuckDbWriter writer = DuckDbWriter.open()) {
        while (tasks.hasNext()) {
          for (List<String> files : tasks.next()) {
            Source source = new Source(files.stream().map(Path::of).toList());
            outcomes.add(step.add(source, writer, fleet));
            sources.add(1);
          }
        }
      }
    } catch (Failure e) {
      // The others would fail likewise, on whatever executor.
      return List.of(Outcome.failed(e)).iterator();
    }
    return outcomes.iterator();
  }
}
