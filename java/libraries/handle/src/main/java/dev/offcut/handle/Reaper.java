package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The thread that rotates nurseries: after each GC cycle (a sentinel's weak reference is enqueued),
 * and once a second. It never runs a program's code: that is the {@link ReleaseLoop}s' part, which
 * it watches.
 *
 * <p>It ends when there has been nothing to watch for a while, and the next nursery starts it
 * again, also if it died.
 */
final class Reaper implements Runnable {
  static volatile @Nullable Thread thread;

  /** How often something arrived that needs a reaper: counted before the arriver looks for one. */
  private static final AtomicLong ARRIVALS = new AtomicLong();

  /** The thread that is to end though there is something to watch. */
  private static volatile @Nullable Thread asked;

  private static volatile long idleSince;

  private final GcClock clock = new GcClock();

  private Reaper() {}

  /**
   * Initializes the net's classes, for the first type. A class whose initialization fails, in a
   * full heap, is broken for ever, and the net with it.
   */
  static void initializeNet() {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      for (Class<?> each :
          List.of(
              Settings.class,
              GcClock.class,
              Detection.class,
              Handles.class,
              HandleScope.class,
              Site.class,
              Events.class,
              Listeners.class,
              Forgotten.Step.class,
              Tally.class,
              Segment.class,
              Tracker.class,
              Family.class,
              Handle.class,
              GuardedHandle.class,
              Nursery.class,
              NurseryToken.Extras.class,
              Slot.class,
              Promotion.class,
              ReleaseWorker.class,
              ThreadLocalRandom.class,
              LockSupport.class)) {
        lookup.ensureInitialized(each);
      }
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  static boolean isStopped() {
    return thread == null;
  }

  static boolean isRunning() {
    Thread current = thread;
    return current != null && current.getState() != Thread.State.TERMINATED;
  }

  /** For what arrives, once the reaper can find it. */
  static void ensureRunning() {
    ARRIVALS.getAndIncrement();
    if (!isRunning()) {
      start(thread);
    }
  }

  private static synchronized void start(@Nullable Thread dead) {
    if (thread != dead) {
      return;
    }
    try {
      Thread created = daemon("offcut-reaper", new Reaper());
      thread = created;
      created.start();
    } catch (Throwable t) {
      thread = dead; // no thread to be had now; the next nursery tries again
    }
  }

  /**
   * A daemon that keeps no class loader and inherits no thread locals; nor, on JDK 17, the access
   * control context of whoever opened the first handle.
   */
  @SuppressWarnings("removal")
  static Thread daemon(String name, Runnable work) {
    PrivilegedAction<Thread> creation =
        () -> {
          Thread created = new Thread(null, work, name, 0, false);
          created.setDaemon(true);
          created.setContextClassLoader(null);
          return created;
        };
    return AccessController.doPrivileged(creation);
  }

  @Override
  public void run() {
    touchIdle();
    while (true) {
      try {
        long seen = ARRIVALS.get();
        look();
        if ((isIdleForLong() || asked == Thread.currentThread()) && stop(seen)) {
          return;
        }
      } catch (InterruptedException e) {
        // There is nothing to stop: the flag is cleared, the wait begins anew.
      } catch (Throwable t) {
        Events.releaseFailed(
            "offcut", t); // not the listener: it is the program's code, and might not return
      }
    }
  }

  private void look() throws InterruptedException {
    boolean cycle = clock.awaitCycle(1_000);
    for (ReleaseLoop loop : ReleaseLoop.all()) {
      loop.supervise(System.nanoTime());
    }
    pass(cycle, false);
    Statistics.Recorded.registerOnce();
  }

  private static boolean isIdleForLong() {
    if (!NurseryList.isEmpty() || anyRegistered()) {
      touchIdle();
    }
    return System.nanoTime() - idleSince > Settings.LINGER_NANOS;
  }

  private static boolean anyRegistered() {
    for (Nurseries nurseries : NurseryList.types()) {
      if (!nurseries.registry.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static void touchIdle() {
    idleSince = System.nanoTime();
  }

  /**
   * Asks the thread to end after its next look, and returns it; null if there is none. An opener
   * starts a new one.
   */
  static @Nullable Thread askToEnd() {
    Thread current = thread;
    asked = current;
    GcClock.interruptWait(); // a look without a cycle, at once
    return current;
  }

  static long arrivals() {
    return ARRIVALS.get();
  }

  /**
   * Declares the thread gone, unless something has arrived since {@code seen} arrivals, which the
   * thread read before its last look. An arriver counts itself and then reads {@code thread}; this
   * method writes {@code thread} and then reads the count. So at least one of the two sees the
   * other: the arriver starts a new thread, or this one stays. A cleaner's registration is not
   * counted. It fills its cell and then reads {@code thread}, so the registries are read as well.
   */
  static synchronized boolean stop(long seen) {
    boolean wanted = asked == Thread.currentThread();
    thread = null;
    if (ARRIVALS.get() == seen && (wanted || !anyRegistered())) {
      asked = null;
      return true;
    }
    thread = Thread.currentThread();
    return false;
  }

  /** One look at every nursery. {@code force} rotates all. */
  static void pass(boolean cycle, boolean force) {
    long now = System.nanoTime();
    synchronized (NurseryList.LOCK) { // no lambda: to link one takes more heap than there may be
      for (Nursery nursery : NurseryList.allLocked()) {
        lookLocked(nursery, cycle, force, now);
      }
    }
    for (Nurseries nurseries : NurseryList.types()) {
      if (cycle) {
        nurseries.registry.trim();
      }
    }
  }

  private static void lookLocked(Nursery nursery, boolean cycle, boolean force, long now) {
    if (nursery.owner != null && !retireLocked(nursery, cycle, force, now)) {
      return;
    }
    if (nursery.isTableGone()) {
      nursery.drop();
      nursery.nurseries.unlink(nursery);
      return;
    }
    int left = Promotion.of(nursery);
    nursery.looks = left == Promotion.NO_MEMORY ? 0 : nursery.looks + 1;
    boolean enough = nursery.looks >= (left == 0 ? Settings.EMPTY_LOOKS : Settings.OPENING_LOOKS);
    if (enough) {
      nursery.nurseries.unlink(nursery);
      nursery.drop();
    }
  }

  private static boolean retireLocked(Nursery nursery, boolean cycle, boolean force, long now) {
    boolean dead = nursery.isOwnerDead(); // an heir may come meanwhile, an owner as any
    long cursor = nursery.cursorSeen();
    boolean used = cursor != nursery.seenCursor;
    int open = nursery.open();
    nursery.seenCursor = cursor;
    nursery.looks = used || open > 0 ? 0 : nursery.looks + 1;
    boolean old = open > 0 && now - nursery.since > Settings.NURSERY_AGE_NANOS;
    boolean rotate = cycle && (used || open > 0);
    boolean idle = nursery.looks > Settings.IDLE_LOOKS;
    if (!(dead || force || rotate || old || idle || nursery.isTableGone())) {
      return false;
    }
    nursery.looks = 0;
    nursery.owner = null;
    return true;
  }
}
