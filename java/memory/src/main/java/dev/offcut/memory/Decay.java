package dev.offcut.memory;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that gives free memory of all pools back to the system: what is free at two turns
 * goes. A turn takes half the time that a pool gives, so free memory is kept for half of it at
 * least and all of it at most.
 */
final class Decay implements Runnable {
  private static final ScheduledThreadPoolExecutor THREAD = thread();

  /** Weak, so that a pool nobody closed can be collected. */
  private final WeakReference<MemoryPool> pool;

  private volatile @Nullable ScheduledFuture<?> turns;

  private Decay(MemoryPool pool) {
    this.pool = new WeakReference<>(pool);
  }

  private static ScheduledThreadPoolExecutor thread() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().name("offcut memory decay").daemon().factory());
    executor.setRemoveOnCancelPolicy(true);
    awaitRecorder(executor);
    return executor;
  }

  /** A recording can begin at any time, and would not hear of the periodic events otherwise. */
  private static void awaitRecorder(ScheduledThreadPoolExecutor executor) {
    if (!Events.registerOnce()) {
      var unused = executor.schedule(() -> awaitRecorder(executor), 1, TimeUnit.SECONDS);
    }
  }

  /** Gives back what is free in a pool, turn after turn. */
  static Decay watch(MemoryPool pool, Duration decay) {
    Decay watch = new Decay(pool);
    long nanos = Math.max(decay.toNanos() / 2, TimeUnit.MILLISECONDS.toNanos(1));
    watch.turns = THREAD.scheduleWithFixedDelay(watch, nanos, nanos, TimeUnit.NANOSECONDS);
    return watch;
  }

  void end() {
    ScheduledFuture<?> scheduled = turns;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
  }

  @Override
  public void run() {
    MemoryPool watched = pool.get();
    if (watched == null) {
      end();
    } else {
      try {
        watched.decay();
      } catch (Throwable e) {
        // A turn that throws would be the last one; for want of heap the next one may do it.
        Uncaught.report(e);
      }
    }
  }
}
