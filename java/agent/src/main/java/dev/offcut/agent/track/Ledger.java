package dev.offcut.agent.track;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** What the helpers have counted, as the agent reads it: in types that it shares with java.base. */
public final class Ledger {
  /** For references to be handled after the last collection. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long STEP_MILLIS = 10;

  /** Steps without any change after which all that was found has been handled. */
  private static final int QUIET = 20;

  /**
   * Cleared by the first collection since a recording began: until then that recording does not
   * know how large the heap is.
   */
  private static volatile WeakReference<Object> uncollected = new WeakReference<>(new Object());

  private static boolean settled;

  private Ledger() {}

  /** All kinds that are counted. */
  static List<KindCounts> kinds(Tracking tracking) throws ReflectiveOperationException {
    Class<?> counts = Tracking.helper("Counts");
    counts.getMethod("drain").invoke(null);
    List<KindCounts> kinds = new ArrayList<>();
    for (int kind : tracking.kinds()) {
      long[] numbers = (long[]) counts.getMethod("of", int.class).invoke(null, kind);
      Proof.State proof = tracking.proof(kind, numbers[Counts.OPENED]);
      kinds.add(KindCounts.of(Kind.name(kind), numbers, proof.label()));
    }
    return kinds;
  }

  /** All places of which a stack was taken. */
  static List<SiteCounts> sites() throws ReflectiveOperationException {
    Map<SiteCounts.Place, SiteCounts> sites = new LinkedHashMap<>();
    Class<?> helper = Tracking.helper("Sites");
    for (Object site : (List<?>) helper.getMethod("all").invoke(null)) {
      Object[] parts = (Object[]) site;
      SiteCounts counts = SiteCounts.of((Integer) parts[0], (String) parts[1], (long[]) parts[2]);
      SiteCounts other = sites.get(counts.place());
      // A line may open in several places.
      sites.put(counts.place(), other == null ? counts : other.plus(counts));
    }
    return new ArrayList<>(sites.values());
  }

  /** Each class with a finalizer: its name, objects registered, finalizers run. */
  static List<Object[]> finalizers() throws ReflectiveOperationException {
    List<Object[]> types = new ArrayList<>();
    Object all = Tracking.helper("Finalizers").getMethod("all").invoke(null);
    for (Object type : (List<?>) all) {
      types.add((Object[]) type);
    }
    return types;
  }

  /** Who hears of collections that the JDK forces. */
  static void listen(LongConsumer listener) throws ReflectiveOperationException {
    Tracking.helper("ForcedCollections")
        .getMethod("listen", LongConsumer.class)
        .invoke(null, listener);
  }

  /** A recording has begun, which knows nothing of the collections until now. */
  static void recordingBegan() {
    uncollected = new WeakReference<>(new Object());
  }

  /** How many collections the JDK forced. */
  static long forced() throws ReflectiveOperationException {
    return (Long) Tracking.helper("ForcedCollections").getMethod("count").invoke(null);
  }

  /**
   * When the JVM ends, if that was asked for and there is something to find: collects once, and
   * waits until what is found has been counted, so that the last numbers are exact.
   */
  static synchronized void settleAtExit(Tracking tracking) throws ReflectiveOperationException {
    if (settled || !tracking.settings().gcAtExit() || !isEnding()) {
      return;
    }
    settled = true;
    List<KindCounts> before = kinds(tracking);
    if (uncollected.refersTo(null) && !isAnythingOpen(before) && !tracking.hasHandles()) {
      return;
    }
    System.gc();
    long end = System.nanoTime() + SETTLE_NANOS;
    // A probe that was found is counted in a moment, or the JDK is not as it is known.
    for (int quiet = 0;
        (quiet < QUIET || Proof.isMissed(before)) && System.nanoTime() < end;
        quiet++) {
      try {
        TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      List<KindCounts> now = kinds(tracking);
      if (!ended(now).equals(ended(before))) {
        quiet = 0;
      }
      before = now;
    }
  }

  /** Whether anything is open that a collection could find: blocks of Unsafe are numbers. */
  private static boolean isAnythingOpen(List<KindCounts> kinds) {
    for (KindCounts kind : kinds) {
      if (kind.open() > 0 && !kind.kind().equals(Kind.name(Kind.UNSAFE))) {
        return true;
      }
    }
    return false;
  }

  private static List<Long> ended(List<KindCounts> kinds) {
    List<Long> ended = new ArrayList<>();
    for (KindCounts kind : kinds) {
      ended.add(kind.collected());
      ended.add(kind.lost());
    }
    return ended;
  }

  /** Whether the JVM is about to end: only then no hook can be added. */
  static boolean isEnding() {
    try {
      Thread hook = new Thread("offcut asks");
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
