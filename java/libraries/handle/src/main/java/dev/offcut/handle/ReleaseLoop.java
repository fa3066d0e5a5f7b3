package dev.offcut.handle;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queue of what was forgotten, and the one thread in charge of releasing it. A thread that dies
 * or hangs in a releaser is replaced, and its successor goes on with what it was releasing.
 *
 * <pre>
 *   collector ──▶ queue ──▶ worker ──▶ releaseOne, releaseOne, … ──▶ report
 *                             │   ▲
 *                             ▼   │ when the queue is empty
 *                             later
 * </pre>
 */
final class ReleaseLoop {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final ReleaseLoop SHARED = new ReleaseLoop(null);
  private static final List<ReleaseLoop> ALL = new ArrayList<>(List.of(SHARED));

  /** Where the collector puts what was forgotten. */
  private final ReferenceQueue<Object> references = new ReferenceQueue<>();

  private final AtomicInteger hung = new AtomicInteger();

  /** Null in the shared loop, whose threads are the net's. */
  private final @Nullable ThreadFactory threads;

  /** Null in the shared loop, which never ends. */
  private volatile @Nullable BooleanSupplier finished;

  private volatile @Nullable ReleaseWorker worker;

  /** What is to be tried again when the queue is empty. Its monitor guards it. */
  private final ArrayDeque<Forgotten> later = new ArrayDeque<>();

  /** Openers that wait for an empty queue take a number. */
  private final AtomicLong requests = new AtomicLong();

  /** The highest number of those that came before a look at the queue which found it empty. */
  private volatile long answered;

  /** Without a thread as yet; those of the caller's making, or the net's. */
  ReleaseLoop(@Nullable ThreadFactory threads) {
    this.threads = threads;
  }

  static ReleaseLoop shared() {
    return SHARED;
  }

  /** Starts a thread of the caller's making, which ends once {@code whenFinished}. */
  void begin(BooleanSupplier whenFinished) {
    finished = whenFinished;
    start(null, null);
    synchronized (ALL) {
      ALL.add(this);
    }
  }

  ReferenceQueue<Object> references() {
    return references;
  }

  static List<ReleaseLoop> all() {
    synchronized (ALL) {
      return List.copyOf(ALL);
    }
  }

  Thread newThread(Runnable work) {
    return threads == null
        ? Reaper.daemon("offcut-releaser-" + NUMBER.incrementAndGet(), work)
        : threads.newThread(work);
  }

  private boolean isFinished() {
    BooleanSupplier whether = finished;
    return whether != null && whether.getAsBoolean();
  }

  long requests() {
    return requests.get();
  }

  /** The queue was empty after the request {@code upTo}. */
  void answer(long upTo) {
    if (upTo > answered) {
      answered = upTo; // a replaced worker may overwrite a higher one; the next look answers again
    }
  }

  /** Keeps what is to be tried again; false if there is no memory for that. */
  boolean keep(Forgotten forgotten) {
    synchronized (later) {
      try {
        later.addLast(forgotten);
        return true;
      } catch (OutOfMemoryError e) {
        return false;
      }
    }
  }

  @Nullable Forgotten takeLater() {
    synchronized (later) {
      return later.pollFirst();
    }
  }

  int countLater() {
    synchronized (later) {
      return later.size();
    }
  }

  boolean hasLater() {
    return countLater() > 0;
  }

  /** An opener's request; the worker is to look at its queue. */
  long request() {
    long request = requests.incrementAndGet();
    wake();
    return request;
  }

  boolean isAnswered(long request) {
    return answered >= request;
  }

  /** Lets the worker look at its queue, if it waits there; for want of memory, a second later. */
  void wake() {
    try {
      new Mark(false).enqueue();
    } catch (OutOfMemoryError e) {
      // the wait for the queue has a limit
    }
  }

  /**
   * Holds an opener back until the releasing thread has emptied its queue, so that handles are not
   * forgotten faster than they are released. Needs no memory, and takes no lock but the monitor of
   * the list of loops, for one look. It ends early when the releasing thread makes no progress for
   * as long as it takes to call a releaser hung: the opener may hold a lock that this releaser
   * waits for. On a thread of the net it returns at once. An interrupt stays pending.
   */
  void awaitEmpty() {
    Thread current = Thread.currentThread();
    if (isReleasing(current)) {
      return;
    }
    long request = request();
    boolean interrupted = false;
    long pause = 20_000;
    long seen = progress();
    long since = System.nanoTime();
    while (!isAnswered(request) && System.nanoTime() - since <= Settings.HANG_NANOS) {
      ensureRunning();
      interrupted |= Thread.interrupted(); // else it would not park
      LockSupport.parkNanos(this, pause);
      pause = Math.min(pause * 2, Settings.BACK_PRESSURE_NANOS);
      long now = progress();
      if (now != seen) {
        seen = now;
        since = System.nanoTime();
      }
    }
    if (interrupted) {
      current.interrupt();
    }
  }

  /**
   * Whether the thread releases for one of the loops: what it opens, it opens inside a releaser.
   */
  private static boolean isReleasing(Thread thread) {
    synchronized (ALL) {
      for (int i = 0; i < ALL.size(); i++) {
        ReleaseWorker current = ALL.get(i).worker;
        if (current != null && current.thread() == thread) {
          return true;
        }
      }
    }
    return false;
  }

  /** Changes while releasers are called. */
  private long progress() {
    ReleaseWorker current = worker;
    return current == null ? 0 : current.progress();
  }

  int hung() {
    return hung.get();
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
    wake();
    return current.thread();
  }

  /** Starts the net's threads where they are not running. */
  void ensureWatched() {
    Reaper.ensureRunning();
    ensureRunning();
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
    try {
      ReleaseWorker next = new ReleaseWorker(this, dead, hungIn);
      worker = next;
      next.start();
    } catch (Throwable t) {
      worker = dead; // tried again at the next look
      if (dead == null && this != SHARED) {
        throw t; // a factory that does not work is its caller's to hear of
      }
      return false;
    }
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

  void cameBack() {
    hung.decrementAndGet();
  }

  /**
   * Whether {@code asking} may end: there is nothing left to watch, it was asked to, or the cleaner
   * it works for is gone. It is no longer in charge then.
   */
  boolean isEnded(ReleaseWorker asking) {
    boolean done = isFinished();
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
    return new Mark(true);
  }

  /** Whether the last thread ended since nothing was left to release. */
  private boolean isGone() {
    return worker == null && isFinished();
  }

  /**
   * Passed once a GC cycle found it and the queue has been seen empty after it: a ReferenceQueue is
   * last in, first out, so the mark alone says nothing of what came before. Must be kept reachable
   * until then.
   */
  final class Mark extends PhantomReference<Object> implements Forgotten {
    /** Whether it waits for an empty queue; a mark that wakes the worker does not. */
    private final boolean waits;

    private boolean taken;
    private volatile boolean passed;

    private Mark(boolean waits) {
      super(new Object(), references());
      this.waits = waits;
    }

    /** False too once the loop is gone: it had nothing to release, and nobody takes the mark. */
    boolean isPending() {
      return !passed && !isGone();
    }

    /** Starts the thread that is to take it, if that has ended. */
    void ensureTaken() {
      if (isPending()) {
        ensureRunning();
      }
    }

    @Override
    public Step releaseOne(Tally tally) {
      if (waits && !taken) {
        taken = true;
        return Step.LATER;
      }
      passed = true;
      return Step.DONE;
    }
  }
}
