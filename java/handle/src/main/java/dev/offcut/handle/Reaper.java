package dev.offcut.handle;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The thread that rotates nurseries: after each GC cycle (a sentinel's weak reference is enqueued),
 * and once a second. It never runs a program's code: that is the {@link ReleaseLoop}s' part, which
 * it watches.
 *
 * <pre>
 *   arrivals (any thread pushes) ──▶ list (under LOCK) ──▶ look: retire, promote, drop
 * </pre>
 *
 * It ends when there has been nothing to watch for a while, and the next nursery starts it again;
 * if it dies, so does the next nursery, or a releasing thread.
 */
final class Reaper implements Runnable {
  /**
   * A monitor: the JVM releases it however a thread leaves it. An opener comes here too, at any
   * depth of its stack, and a lock whose owner's stack ended would stop the net.
   */
  private static final Object LOCK = new Object();

  private static final ReferenceQueue<Object> CYCLES = new ReferenceQueue<>();
  private static final AtomicReference<@Nullable Nursery> ARRIVALS = new AtomicReference<>();
  private static final List<WeakReference<HandleType>> TYPES = new ArrayList<>();

  private static volatile @Nullable Thread thread;

  /** The thread that is to end though there is something to watch. */
  private static volatile @Nullable Thread asked;

  /** Written by the one reaper. */
  private static volatile int cycles;

  private static volatile int restarts;
  private static @Nullable Nursery head;

  private static volatile long idleSince;

  private @Nullable WeakReference<Object> sentinel;

  private Reaper() {}

  /** GC cycles seen. */
  static int cycles() {
    return cycles;
  }

  static int restarts() {
    return restarts;
  }

  static boolean isStopped() {
    return thread == null;
  }

  static void watch(HandleType type) {
    synchronized (LOCK) {
      for (Iterator<WeakReference<HandleType>> all = TYPES.iterator(); all.hasNext(); ) {
        if (all.next().get() == null) {
          all.remove();
        }
      }
      TYPES.add(new WeakReference<>(type));
    }
  }

  static List<HandleType> types() {
    synchronized (LOCK) {
      List<HandleType> alive = new ArrayList<>();
      for (WeakReference<HandleType> reference : TYPES) {
        HandleType type = reference.get();
        if (type != null) {
          alive.add(type);
        }
      }
      return alive;
    }
  }

  /** Makes a nursery known before its owner can open a handle in it. */
  static void arrive(Nursery nursery) {
    Nursery top;
    do {
      top = ARRIVALS.get();
      nursery.next = top;
    } while (!ARRIVALS.compareAndSet(top, nursery));
    ensureRunning();
    nursery.type.loop().ensureRunning();
  }

  /** Starts a new thread if the one there was has died; for the releasing threads. */
  static void reviveIfDead() {
    Thread current = thread;
    if (current != null && current.getState() == Thread.State.TERMINATED) {
      start(current);
    }
  }

  static void ensureRunning() {
    Thread current = thread;
    if (current == null || current.getState() == Thread.State.TERMINATED) {
      start(current);
    }
  }

  private static synchronized void start(@Nullable Thread dead) {
    if (thread != dead) {
      return;
    }
    try {
      Thread created = daemon("offcut-reaper", new Reaper());
      thread = created;
      restarts += dead == null ? 0 : 1;
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
    return AccessController.doPrivileged(
        new PrivilegedAction<Thread>() {
          @Override
          public Thread run() {
            Thread created = new Thread(null, work, name, 0, false);
            created.setDaemon(true);
            created.setContextClassLoader(null);
            return created;
          }
        });
  }

  @Override
  public void run() {
    touchIdle();
    while (true) {
      try {
        look();
        if ((isIdleForLong() || asked == Thread.currentThread()) && stop()) {
          return;
        }
      } catch (InterruptedException e) {
        // There is nothing to stop: the flag is cleared, the wait begins anew.
      } catch (Throwable t) {
        Events.netFailed(t); // not the listener: it is the program's code, and might not return
      }
    }
  }

  private void look() throws InterruptedException {
    boolean cycle = awaitCycle();
    for (ReleaseLoop loop : ReleaseLoop.all()) {
      loop.supervise(System.nanoTime());
    }
    pass(cycle, false);
    Events.registerOnce();
  }

  /** Waits for a GC cycle, at most a second. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private boolean awaitCycle() throws InterruptedException {
    if (sentinel == null) {
      sentinel = new WeakReference<>(new Object(), CYCLES); // again, if memory did not allow it
    }
    Reference<?> seen = CYCLES.remove(1_000);
    if (seen != null && seen == sentinel) {
      cycles++;
      sentinel = null;
      return true;
    }
    return false;
  }

  private static boolean isIdleForLong() {
    synchronized (LOCK) {
      if (head != null
          || ARRIVALS.get() != null
          || Registration.isAnyWaiting()
          || Unfinished.isAny()
          || anyRegistered()) {
        touchIdle();
      }
      return System.nanoTime() - idleSince > Settings.LINGER_NANOS;
    }
  }

  // A loop, as all that the net's threads run: the linkage of a lambda that fails once for lack of
  // memory fails for ever.
  private static boolean anyRegistered() {
    for (HandleType type : types()) {
      if (!type.registry().isEmpty()) {
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
    new WeakReference<>(new Object(), CYCLES).enqueue(); // a look without a cycle, at once
    return current;
  }

  /** Declares the thread gone, unless a nursery arrived meanwhile: its opener may have seen it. */
  private static synchronized boolean stop() {
    thread = null;
    if (ARRIVALS.get() == null) {
      asked = null;
      return true;
    }
    thread = Thread.currentThread();
    return false;
  }

  /** One look at every nursery. {@code force} rotates all. */
  static void pass(boolean cycle, boolean force) {
    Registration.placeWaiting();
    synchronized (LOCK) {
      takeArrivalsLocked();
      long now = System.nanoTime();
      Nursery following;
      for (Nursery nursery = head; nursery != null; nursery = following) {
        following = nursery.next;
        lookLocked(nursery, cycle, force, now);
      }
    }
    for (HandleType type : types()) {
      type.nurseries().growIfCrowded();
      if (cycle) {
        type.registry().trim();
      }
    }
  }

  /** Nothing is called once the arrivals are taken: those of an error here would be lost. */
  private static void takeArrivalsLocked() {
    Nursery nursery = ARRIVALS.get();
    while (!ARRIVALS.compareAndSet(nursery, null)) {
      nursery = ARRIVALS.get();
    }
    while (nursery != null) {
      Nursery rest = nursery.next;
      nursery.next = head;
      if (head != null) {
        head.previous = nursery;
      }
      head = nursery;
      nursery = rest;
    }
  }

  private static void lookLocked(Nursery nursery, boolean cycle, boolean force, long now) {
    if (nursery.owner != null && !retireLocked(nursery, cycle, force, now)) {
      return;
    }
    if (nursery.isTableGone()) {
      nursery.drop();
      nursery.type.nurseries().unlink(nursery);
      return;
    }
    int left = Promotion.of(nursery);
    nursery.looks = left == Promotion.NO_MEMORY ? 0 : nursery.looks + 1;
    boolean enough = nursery.looks >= (left == 0 ? Settings.EMPTY_LOOKS : Settings.OPENING_LOOKS);
    if (enough && nursery.isShut(cycle)) {
      nursery.type.nurseries().unlink(nursery);
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
    nursery.sparse = open < nursery.capacity() / 4;
    nursery.looks = 0;
    nursery.owner = null;
    return true;
  }

  /** The nursery's token is dead and its record empty: it leaves the list. */
  static void done(Nursery nursery) {
    synchronized (LOCK) {
      takeArrivalsLocked();
      if (nursery.finished) {
        return;
      }
      nursery.finished = true;
      nursery.type.counters().claimedByDropped.addAndGet(nursery.claims());
      removeLocked(nursery);
      nursery.type.nurseries().unlink(nursery);
    }
  }

  private static void removeLocked(Nursery nursery) {
    if (nursery.previous != null) {
      nursery.previous.next = nursery.next;
    } else if (head == nursery) {
      head = nursery.next;
    }
    if (nursery.next != null) {
      nursery.next.previous = nursery.previous;
    }
  }

  /** Whether there is a nursery of the type. */
  static boolean isAnyNursery(HandleType type) {
    synchronized (LOCK) {
      takeArrivalsLocked();
      Nursery nursery = head;
      while (nursery != null && nursery.type != type) {
        nursery = nursery.next;
      }
      return nursery != null;
    }
  }

  /** Visits the nurseries while none can arrive in or leave the list. */
  static void visit(Consumer<Nursery> visitor) {
    visit(visitor, () -> {});
  }

  /** Visits the nurseries, then runs {@code end}, while none can arrive in or leave the list. */
  static void visit(Consumer<Nursery> visitor, Runnable end) {
    synchronized (LOCK) {
      takeArrivalsLocked();
      for (Nursery nursery = head; nursery != null; nursery = nursery.next) {
        visitor.accept(nursery);
      }
      end.run();
    }
  }

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new InterruptedException());
    } catch (InterruptedException e) {
      // seen once
    }
    try {
      Warmup.raise(new Throwable());
    } catch (Throwable e) {
      // seen once
    }
  }
}
