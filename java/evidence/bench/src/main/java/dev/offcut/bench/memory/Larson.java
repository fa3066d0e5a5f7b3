package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import dev.offcut.bench.memory.LiveSet.Victims;
import java.util.concurrent.CountDownLatch;

/**
 * {@code larson}: after P. Larson and M. Krishnan, "Memory allocation for long-running server
 * applications" (1998), with the parameters of mimalloc-bench. Each thread has 5,000 blocks of 8 to
 * 1,000 bytes, of which it frees a random one and takes another; after 500,000 times it leaves them
 * to a new thread and ends. So most blocks are freed by another thread than took them.
 *
 * <p>Arguments: allocator, threads, CPU seconds of warm-up, seconds of measurement.
 */
final class Larson {
  private static final int LIVE = 5000;
  private static final int LEG = 100;

  private final Allocator allocator;
  private final ThreadWork tally = new ThreadWork();
  private final CountDownLatch lanes;
  private volatile boolean ended;

  private Larson(Allocator allocator, int threads) {
    this.allocator = allocator;
    lanes = new CountDownLatch(threads);
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.parseInt(args[1]);
    try (Allocator allocator = Allocator.of(args[0])) {
      Larson larson = new Larson(allocator, threads);
      int[] sizes = Sizes.uniform(8, 1000);
      for (int i = 0; i < threads; i++) {
        Victims blocks = new Victims(allocator, LIVE, sizes, i);
        larson.start(() -> larson.first(blocks));
      }
      larson.tally.measure(Child.nanos(args[2]), Child.nanos(args[3])).report();
      larson.ended = true;
      larson.lanes.await();
    }
  }

  private void start(Runnable leg) {
    Thread thread = allocator.threads().newThread(leg);
    thread.setUncaughtExceptionHandler((any, e) -> Workers.fail(e));
    thread.start();
  }

  private void first(Victims blocks) {
    blocks.begin();
    leg(blocks);
  }

  private void leg(Victims blocks) {
    ThreadWork.Meter meter = tally.meter();
    for (int i = 0; i < LEG && !ended; i++) {
      blocks.times(LIVE);
      meter.did(LIVE);
    }
    if (ended) {
      blocks.end();
      lanes.countDown();
    } else {
      start(() -> leg(blocks));
    }
  }
}
