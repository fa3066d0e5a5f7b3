package dev.offcut.handle;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of what was forgotten, and the one thread in charge of releasing it. A thread that dies
 * or hangs in a releaser is replaced, and its successor goes on with its batch.
 *
 * <pre>
 *   collector ──▶ queue ──▶ worker's batch ──▶ releaseOne, releaseOne, … ──▶ report
 * </pre>
 */
final class ReleaseLoop {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final ReleaseLoop SHARED = new ReleaseLoop(ReleaseLoop::daemon, () -> false);
  private static final List<ReleaseLoop> ALL = new ArrayList<>(List.of(SHARED));

  private final ReferenceQueue<Object> queue = new ReferenceQueue<>();
  private final AtomicInteger hung = new AtomicInteger();
  private final ThreadFactory threads;
  private final BooleanSupplier finished;

  private volatile @Nullable ReleaseWorker worker;
  private volatile boolean behind;
  private volatile int restarts;

  private ReleaseLoop(ThreadFactory threads, BooleanSupplier finished) {
    this.threads = threads;
    this.finished = finished;
  }

  static ReleaseLoop shared() {
    return SHARED;
  }

  /** A loop on threads of the caller's making, which ends once {@code finished}. */
  static ReleaseLoop on(ThreadFactory threads, BooleanSupplier finished) {
    ReleaseLoop loop = new ReleaseLoop(threads, finished);
    loop.start(null, null);
    synchronized (ALL) {
      ALL.add(loop);
    }
    return loop;
  }

  static List<ReleaseLoop> all() {
    synchronized (ALL) {
      return List.copyOf(ALL);
    }
  }

  private static Thread daemon(Runnable work) {
    return Reaper.daemon("offcut-releaser-" + NUMBER.incrementAndGet(), work);
  }

  ReferenceQueue<Object> queue() {
    return queue;
  }

  /** Whether the queue fills faster than it is emptied. */
  boolean isBehind() {
    return behind;
  }

  void behind(boolean full) {
    behind = full;
  }

  int hung() {
    return hung.get();
  }

  int restarts() {
    return restarts;
  }

  /** References taken from the queue and not yet released. */
  int backlog() {
    ReleaseWorker current = worker;
    return current == null ? 0 : current.backlog();
  }

  /** When the batch in progress was taken; Long.MAX_VALUE when there is none. */
  long backlogSince() {
    ReleaseWorker current = worker;
    return current == null ? Long.MAX_VALUE : current.backlogSince();
  }

  /**
   * Asks the thread in charge to end once the queue is empty, and returns it; null if there is
   * none. For when the reaper has ended: an opener starts both again.
   */
  @Nullable Thread askToEnd() {
    ReleaseWorker current = worker;
    if (current == null) {
      return null;
    }
    current.askToEnd();
    new Mark().enqueue(); // it waits for the queue
    return current.thread();
  }

  /** Starts the thread if there is none; called by the reaper and by openers. */
  void ensureRunning() {
    ReleaseWorker current = worker;
    if (current == null || !current.isAlive()) {
      start(current, null);
    }
  }

  /** Puts a new worker in charge; false if there is one already, or no thread to be had now. */
  private synchronized boolean start(@Nullable ReleaseWorker dead, @Nullable HandleType hungIn) {
    if (worker != dead) {
      return false;
    }
    ReleaseWorker next = new ReleaseWorker(this, dead, hungIn);
    worker = next;
    try {
      next.start(threads);
    } catch (Throwable t) {
      worker = dead; // tried again at the next look
      if (dead == null && this != SHARED) {
        throw t; // a factory that does not work is its caller's to hear of
      }
      return false;
    }
    restarts += dead == null ? 0 : 1;
    return true;
  }

  /** A look of the reaper: replaces a worker that is dead, or has hung in one call for too long. */
  void supervise(long now) {
    ensureRunning();
    ReleaseWorker current = worker;
    if (current == null || hung.get() >= Settings.MAX_HUNG) {
      return;
    }
    HandleType type = current.hungIn(now);
    if (type != null && start(current, type)) {
      hung.incrementAndGet();
      current.replace();
    }
  }

  /** A replaced worker's call came back. */
  void cameBack() {
    hung.decrementAndGet();
  }

  /**
   * Whether {@code asking} may end: there is nothing left to watch, it was asked to, or the cleaner
   * it works for is gone. It is no longer in charge then.
   */
  boolean isEnded(ReleaseWorker asking) {
    boolean done = finished.getAsBoolean();
    boolean wanted = asking.takeAsked() || this == SHARED;
    if (!done && !(wanted && Reaper.isStopped())) {
      return false;
    }
    synchronized (this) {
      if (worker == asking) {
        worker = null;
      }
    }
    if (done) {
      synchronized (ALL) {
        ALL.remove(this);
      }
    } else if (!Reaper.isStopped()) {
      ensureRunning(); // somebody opened a handle meanwhile
    }
    return true;
  }

  /** A mark for a GC cycle to find: what it enqueues with it or before is released with it. */
  Mark mark() {
    return new Mark();
  }

  /** Whether the last thread ended since nothing was left to release. */
  private boolean isGone() {
    return worker == null && finished.getAsBoolean();
  }

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new Throwable());
    } catch (Throwable e) {
      // seen once
    }
  }

  /**
   * Passed once a GC cycle found it and the queue has been seen empty after it: a ReferenceQueue is
   * last in, first out, so the mark alone says nothing of what came before. Must be kept reachable
   * until then.
   */
  final class Mark extends PhantomReference<Object> implements Forgotten {
    private volatile boolean passed;

    private Mark() {
      super(new Object(), queue);
    }

    /** False too once the loop is gone: it had nothing to release, and nobody takes the mark. */
    boolean isPending() {
      return !passed && !isGone();
    }

    @Override
    public Step releaseOne(Tally tally) {
      if (behind) {
        return Step.LATER;
      }
      passed = true;
      return Step.DONE;
    }
  }
}
