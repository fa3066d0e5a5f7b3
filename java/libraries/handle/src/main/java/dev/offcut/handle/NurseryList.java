package dev.offcut.handle;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** All nurseries, and the directories of all types. */
final class NurseryList {
  /** A monitor, which the JVM releases however a thread leaves it. */
  static final Object LOCK = new Object();

  private static final Set<Nursery> ALL = ConcurrentHashMap.newKeySet();
  private static final List<WeakReference<Nurseries>> TYPES = new ArrayList<>();

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
    ALL.add(nursery);
    nursery.type.loop.ensureWatched();
  }

  /** The nurseries. The caller holds the lock, and so none leaves. */
  static Set<Nursery> allLocked() {
    return ALL;
  }

  static boolean isEmpty() {
    return ALL.isEmpty();
  }

  /** The nursery's token is dead and its record empty: it is forgotten. */
  static void remove(Nursery nursery) {
    synchronized (LOCK) {
      if (ALL.remove(nursery)) {
        nursery.type.counters.claimedByDropped.addAndGet(nursery.claims());
        nursery.nurseries.unlink(nursery);
      }
    }
  }

  /** Visits the nurseries, while none leaves. */
  static void visit(Consumer<Nursery> visitor) {
    visit(visitor, () -> {});
  }

  /** Visits the nurseries, then runs {@code end}, while none leaves. */
  static void visit(Consumer<Nursery> visitor, Runnable end) {
    synchronized (LOCK) {
      allLocked().forEach(visitor);
      end.run();
    }
  }
}
