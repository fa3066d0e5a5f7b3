package dev.offcut.examples.sqlite;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The queries, in threads that share one connection. */
final class Workload {
  /**
   * What was done.
   *
   * @param counts of all threads
   * @param nanos how long it took
   */
  record Outcome(QueryCounts counts, long nanos) {}

  private final Database database;
  private final Share.Part forgotten;
  private final long seed;
  private final Progress progress;
  private final Interrupt interrupt;
  private volatile boolean failed;

  Workload(
      Database database, Share.Part forgotten, long seed, Progress progress, Interrupt interrupt) {
    this.database = database;
    this.forgotten = forgotten;
    this.seed = seed;
    this.progress = progress;
    this.interrupt = interrupt;
  }

  /** Asks so many queries. What one thread throws ends all, and is thrown. */
  Outcome run(Table table, Reference reference, long queries, int threads) {
    long began = System.nanoTime();
    progress.begin("querying", "statements", queries);
    List<Query> mix = Query.mix(table, reference);
    List<Asker> askers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      long from = queries * i / threads;
      askers.add(new Asker(this, reference, mix, from, queries * (i + 1) / threads));
    }
    QueryCounts counts = run(askers);
    return new Outcome(counts, System.nanoTime() - began);
  }

  private QueryCounts run(List<Asker> askers) {
    QueryCounts sum = new QueryCounts();
    try (ExecutorService threads = Executors.newFixedThreadPool(askers.size())) {
      List<Future<QueryCounts>> parts = new ArrayList<>();
      askers.forEach(asker -> parts.add(threads.submit(asker)));
      parts.forEach(part -> sum.add(result(part)));
    }
    return sum;
  }

  private QueryCounts result(Future<QueryCounts> part) {
    try {
      return part.get();
    } catch (ExecutionException e) {
      failed = true;
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof RuntimeException r ? r : new IllegalStateException(e);
    } catch (InterruptedException e) {
      failed = true;
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while querying", e);
    }
  }

  Database database() {
    return database;
  }

  /** Whether the statement of the query with this index is dropped without a close. */
  boolean forgets(long index) {
    return forgotten.takes(index);
  }

  long seed() {
    return seed;
  }

  Progress progress() {
    return progress;
  }

  /** Whether the threads should end early. */
  boolean isStopped() {
    return failed || interrupt.requested();
  }
}
