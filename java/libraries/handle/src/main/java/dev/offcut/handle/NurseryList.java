package dev.offcut.handle;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All nurseries, and the directories of all types.
 *
 * <pre>
 *   arrivals (any thread pushes) ──▶ list (under LOCK) ──▶ the reaper looks: retire, promote, drop
 * </pre>
 */
final class NurseryList {
  /** A monitor, which the JVM releases however a thread leaves it. */
  static final Object LOCK = new Object();

  private static final AtomicReference<@Nullable Nursery> ARRIVALS = new AtomicReference<>();
  private static final List<WeakReference<Nurseries>> TYPES = new ArrayList<>();
  private static @Nullable Nursery head;

  private NurseryList() {}

  /** Adds a type, as long as somebody holds it. */
  static void watch(Nurseries nurseries) {
    synchronized (LOCK) {
      TYPES.add(new WeakReference<>(nurseries));
    }
  }

  /** The directories of the types that somebody holds; drops the others, once a look. */
  static List<Nurseries> types() {
    synchronized (LOCK) {
      List<Nurseries> alive = new ArrayList<>();
      for (Iterator<WeakReference<Nurseries>> all = TYPES.iterator(); all.hasNext(); ) {
        Nurseries nurseries = all.next().get();
        if (nurseries == null) {
          all.remove();
        } else {
          alive.add(nurseries);
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
    nursery.type.loop.ensureWatched();
  }

  /** The first nursery, whose {@code next} leads to the others. The caller holds the lock. */
  static @Nullable Nursery firstLocked() {
    takeArrivalsLocked();
    return head;
  }

  /** Whether there is no nursery. */
  static boolean isEmpty() {
    synchronized (LOCK) {
      return head == null && ARRIVALS.get() == null;
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

  /** The nursery's token is dead and its record empty: it leaves the list. */
  static void remove(Nursery nursery) {
    synchronized (LOCK) {
      takeArrivalsLocked();
      if (nursery.finished) {
        return;
      }
      nursery.finished = true;
      nursery.type.counters.claimedByDropped.addAndGet(nursery.claims());
      removeLocked(nursery);
      nursery.nurseries.unlink(nursery);
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
}
