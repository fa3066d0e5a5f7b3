package dev.offcut.handle;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Operations on all handles of the program: counts, detection level, listeners, and a drain for
 * tests.
 */
public final class Handles {
  /** How long a drain waits before it asks for a GC cycle again, and between two looks. */
  private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long POLL_NANOS = 100_000;

  private Handles() {}

  /**
   * {@return the counts of all types at this moment} The time of the call is proportional to the
   * number of young handles.
   */
  public static HandleSnapshot snapshot() {
    return Statistics.take();
  }

  /**
   * {@return the detection level for new openings} The initial level comes from {@code
   * -Doffcut.handle.detection}.
   */
  public static Detection detection() {
    return Detection.current();
  }

  /**
   * Sets the detection level for new openings. Openings that are under way may keep the previous
   * level.
   *
   * @param level the level
   */
  public static void detection(Detection level) {
    Detection.set(Objects.requireNonNull(level, "level"));
    Reaper.pass(false, true);
  }

  /**
   * Adds a listener for all types. The net keeps it until {@link #removeListener} or {@link
   * #shutdown}. Adding it again has no effect.
   *
   * @param listener receives the reports
   */
  public static void addListener(HandleListener listener) {
    Listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Removes a listener. A report that is under way may still reach it.
   *
   * @param listener the listener; if it was not added, the call has no effect
   */
  public static void removeListener(HandleListener listener) {
    Listeners.remove(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Releases every handle that is unreachable now. For tests. This method promotes all young
   * handles, asks for GC cycles, and waits until the net has found nothing in two cycles.
   *
   * @param limit how long it may take; it may be {@code ChronoUnit.FOREVER.getDuration()}. With
   *     zero or less, the result is false
   * @return true if everything was released. False if the time was up, or if the thread was
   *     interrupted (its interrupt status stays set). Also false if the collector ignores {@code
   *     System.gc()} ({@code -XX:+DisableExplicitGC})
   */
  public static boolean drain(Duration limit) {
    // A limit of more than 292 years is one of 292 years.
    long deadline = System.nanoTime() + Math.max(0, TimeUnit.NANOSECONDS.convert(limit));
    try {
      long last = released();
      for (int quiet = 0; quiet < 2; ) {
        Reaper.pass(true, true);
        if (!cycle(deadline)) {
          return false;
        }
        long now = released();
        quiet = now == last ? quiet + 1 : 0;
        last = now;
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Ends the net of a program that is undeployed together with its own copy of this library, so
   * that its class loader can be unloaded. First the net releases the handles that it has found
   * forgotten so far. Then its threads and its periodic Flight Recorder events end, and it drops
   * listeners and recorded sites.
   *
   * <p>Close all handles first. In the result, a type whose {@code open()} is above zero still has
   * open handles. The net does not watch these handles any more. A handle that is opened later
   * starts the net again.
   *
   * <p>This method waits for running releasers, for 5 seconds at most ({@code
   * -Doffcut.handle.hangMillis}), and does not interrupt them. If the calling thread is
   * interrupted, the wait ends and the interrupt status stays set.
   *
   * <p>Do not call this method for a library that several programs share: it would end the net for
   * all of them. Such a library needs no shutdown, because it does not keep the class loader of a
   * program whose handles are closed.
   *
   * @return the last counts
   */
  public static HandleSnapshot shutdown() {
    long deadline = System.nanoTime() + Settings.HANG_NANOS;
    try {
      awaitEnd(Reaper.askToEnd(), deadline);
      List<Thread> releasing = new ArrayList<>();
      for (ReleaseLoop loop : ReleaseLoop.all()) {
        Thread thread = loop.askToEnd();
        if (thread != null) {
          releasing.add(thread);
        }
      }
      for (Thread thread : releasing) {
        awaitEnd(thread, deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Statistics.Recorded.unregister();
    ExitReport.uninstall();
    HandleSnapshot left = snapshot();
    Site.forgetAll();
    Listeners.removeAll();
    return left;
  }

  private static void awaitEnd(@Nullable Thread thread, long deadline) throws InterruptedException {
    if (thread != null && thread != Thread.currentThread()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      thread.join(Math.max(left, 1)); // 0 would be for ever
    }
  }

  private static long released() {
    long sum = 0;
    for (Nurseries nurseries : NurseryList.types()) {
      sum += nurseries.type.counters.forgotten.get();
    }
    return sum;
  }

  /** One GC cycle, and what it found released; false when time is up. */
  private static boolean cycle(long deadline) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException(); // also when there is nothing to wait for
    }
    if (System.nanoTime() - deadline >= 0) {
      return false; // without time nothing is known
    }
    Reaper.ensureRunning();
    List<ReleaseLoop> loops = ReleaseLoop.all();
    List<ReleaseLoop.Mark> marks = new ArrayList<>();
    for (ReleaseLoop loop : loops) {
      loop.ensureRunning();
      marks.add(loop.mark());
    }
    try {
      System.gc();
      long asked = System.nanoTime();
      while (isAnyPending(marks) || hasBacklog(loops)) {
        long now = System.nanoTime();
        if (now - deadline >= 0) {
          return false;
        }
        if (now - asked > AGAIN_NANOS) {
          System.gc();
          asked = now;
        }
        for (ReleaseLoop.Mark mark : marks) {
          mark.ensureTaken(); // a shutdown meanwhile has ended whoever would have taken it
        }
        TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      }
      return true;
    } finally {
      Reference.reachabilityFence(marks); // a mark must be reachable to be enqueued
    }
  }

  private static boolean isAnyPending(List<ReleaseLoop.Mark> marks) {
    for (ReleaseLoop.Mark mark : marks) {
      if (mark.isPending()) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasBacklog(List<ReleaseLoop> loops) {
    for (ReleaseLoop loop : loops) {
      if (loop.hasLater()) {
        return true;
      }
    }
    return false;
  }
}
