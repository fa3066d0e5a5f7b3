package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * {@code xmalloc}: after C. Lever and D. Boreham, "malloc() performance in a multithreaded Linux
 * environment" (2000), with the parameters of mimalloc-bench. Some threads take blocks of 64 bytes,
 * in batches of 4,096; as many others free them. An operation is a block taken and freed.
 *
 * <p>Arguments: allocator, threads of each kind, CPU seconds of warm-up, seconds of measurement.
 */
final class Xmalloc {
  private static final int BATCH = 4096;
  private static final int MOST_BATCHES = 100;
  private static final int BYTES = 64;

  private final Allocator allocator;
  private final ThreadWork tally = new ThreadWork();
  private final BlockingQueue<Slots> empty = new ArrayBlockingQueue<>(MOST_BATCHES);
  private final BlockingQueue<Slots> full = new ArrayBlockingQueue<>(2 * MOST_BATCHES);
  private final Slots end;
  private volatile boolean ended;

  private Xmalloc(Allocator allocator) {
    this.allocator = allocator;
    end = allocator.table(0);
    for (int i = 0; i < MOST_BATCHES; i++) {
      empty.add(allocator.table(BATCH));
    }
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.parseInt(args[1]);
    try (Allocator allocator = Allocator.of(args[0])) {
      Xmalloc xmalloc = new Xmalloc(allocator);
      List<Thread> producers = xmalloc.start(xmalloc::produce, threads);
      List<Thread> consumers = xmalloc.start(xmalloc::consume, threads);
      xmalloc.tally.measure(Child.nanos(args[2]), Child.nanos(args[3])).report();
      xmalloc.ended = true;
      for (Thread producer : producers) {
        producer.join();
      }
      for (int i = 0; i < threads; i++) {
        xmalloc.full.put(xmalloc.end); // behind what is still to be freed
      }
      for (Thread consumer : consumers) {
        consumer.join();
      }
    }
  }

  private List<Thread> start(Runnable work, int threads) {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread = allocator.threads().newThread(work);
      thread.setUncaughtExceptionHandler((any, e) -> Workers.fail(e));
      thread.start();
      all.add(thread);
    }
    return all;
  }

  private void produce() {
    ThreadWork.Meter meter = tally.meter();
    while (!ended) {
      Slots batch = next(empty);
      for (int slot = 0; slot < BATCH; slot++) {
        batch.take(slot, BYTES);
      }
      full.add(batch);
      meter.did(0);
    }
  }

  private void consume() {
    ThreadWork.Meter meter = tally.meter();
    for (Slots batch = next(full); batch != end; batch = next(full)) {
      for (int slot = 0; slot < BATCH; slot++) {
        batch.give(slot);
      }
      empty.add(batch);
      meter.did(BATCH);
    }
  }

  private static Slots next(BlockingQueue<Slots> from) {
    try {
      return from.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
