package dev.offcut.agent.publish;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.Closeables;
import dev.offcut.agent.base.concurrent.Counts;
import dev.offcut.agent.base.concurrent.Finalizers;
import dev.offcut.agent.base.concurrent.ForcedCollections;
import dev.offcut.agent.base.concurrent.OwnBuffers;
import dev.offcut.agent.base.concurrent.Sites;
import dev.offcut.agent.hooks.CloseableProof;
import dev.offcut.agent.hooks.Proof;
import dev.offcut.agent.rules.Probe;
import dev.offcut.agent.rules.Watching;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the helpers have counted, as the agent reads it: in types that it shares with java.base. The
 * build renames the helpers that are called here; only what may not have been defined is called by
 * reflection, since the JDK makes classes for each form of such a call.
 */
public final class Ledger {
  /** For references to be handled after the last collection. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long STEP_MILLIS = 10;

  /** Steps without any change after which all that was found has been handled. */
  private static final int QUIET = 20;

  /**
   * Cleared by the first collection since a recording began: until then that recording does not
   * know how large the heap is. Null as long as none began.
   */
  private static volatile @Nullable WeakReference<Object> uncollected;

  private static final String NO_COLLECTION =
      "System.gc() ran no garbage collection at the end, perhaps because of"
          + " -XX:+DisableExplicitGC; what was unreachable then, and was not found before, counts as"
          + " open";

  /** What the name of a kind of closeables by rule begins with. */
  static final String CLOSEABLE = "closeable:";

  /** The number of the first of them. */
  private static final int CLOSEABLES = 2 * Kind.COUNT;

  /** Of a point over time the low bits are how many were open. */
  private static final int OPEN_BITS = 20;

  /** What names of classes begin with of which each program has some open objects. */
  private static final List<String> SMALL =
      List.of("java.io.", "java.lang.", "java.util.jar.", "sun.nio.ch.FileChannelImpl");

  /** So many open objects of a class of the JDK are worth a collection at the end. */
  private static final int MANY = 10;

  /** So much native memory is, which may be of objects that are not counted. */
  private static final long MUCH_NATIVE = 16 << 20;

  /** That of all of them. */
  private static final CloseableProof PROOF =
      new CloseableProof(Probe::new, () -> Counts.of(CLOSEABLES));

  /** The classes of those that there are. */
  private static volatile String[] closeables = {};

  private static boolean settled;

  private Ledger() {}

  /** All kinds that are counted. */
  static List<KindCounts> kinds(Tracking tracking) throws ReflectiveOperationException {
    Counts.drain();
    List<KindCounts> kinds = new ArrayList<>();
    for (int kind : tracking.kinds()) {
      long[] numbers = Counts.of(kind);
      Proof.State proof = tracking.proof(kind, numbers[Counts.OPENED]);
      kinds.add(KindCounts.of(Kind.name(kind), numbers, proof.label()));
    }
    Watching watching = tracking.watching();
    if (watching != null) {
      addCloseables(kinds, watching);
    }
    return kinds;
  }

  /** Closeables by rule: those of which an object was opened. */
  private static void addCloseables(List<KindCounts> kinds, Watching watching)
      throws ReflectiveOperationException {
    watching.look(Closeables.missed());
    closeables = Closeables.names();
    String[] names = closeables;
    // The first is the agent's own, which shows whether the others are counted rightly.
    String proof = PROOF.look(names.length > 1).label();
    for (int i = 1; i < names.length; i++) {
      kinds.add(KindCounts.of(CLOSEABLE + names[i], Counts.of(CLOSEABLES + i), proof));
    }
  }

  /** The name of a kind, by number. */
  static String name(int kind) throws ReflectiveOperationException {
    if (kind < CLOSEABLES || (kind & Kind.FILLED) != 0) {
      return Kind.name(kind);
    }
    String[] names = closeables;
    if (kind - CLOSEABLES >= names.length) {
      names = Closeables.names();
      closeables = names;
    }
    return CLOSEABLE + names[kind - CLOSEABLES];
  }

  /** All places of which a stack was taken. */
  static List<SiteCounts> sites() throws ReflectiveOperationException {
    Map<SiteCounts.Place, SiteCounts> sites = new LinkedHashMap<>();
    for (Object[] parts : Sites.all()) {
      SiteCounts counts = SiteCounts.of(parts);
      SiteCounts other = sites.get(counts.place());
      // A line may open in several places.
      sites.put(counts.place(), other == null ? counts : other.plus(counts));
    }
    return new ArrayList<>(sites.values());
  }

  /** Each class with a finalizer: its name, objects registered, finalizers run. */
  static List<Object[]> finalizers() {
    return Finalizers.all();
  }

  /** How many unreachable objects wait for their finalizers; -1 if that is not known. */
  static int waitingForFinalizers() {
    return Finalizers.waiting();
  }

  /** One more who hears of collections that the JDK forces. */
  static synchronized void listen(LongConsumer listener) {
    LongConsumer before = ForcedCollections.listener();
    ForcedCollections.listen(before == null ? listener : before.andThen(listener));
  }

  /** A recording has begun, which knows nothing of the collections until now. */
  static void recordingBegan() {
    uncollected = new WeakReference<>(new Object());
  }

  /**
   * When the JVM ends, if that was asked for and there is something to find: collects once, and
   * waits until what is found has been counted, so that the last numbers are exact.
   */
  static void settleAtExit(Tracking tracking) throws ReflectiveOperationException {
    if (isEnding()) {
      settle(tracking);
    }
  }

  /** The same before the program's main method returns, on its thread. */
  public static void settleAtReturn(Tracking tracking) {
    OwnBuffers.begin();
    try {
      settle(tracking);
    } catch (ReflectiveOperationException e) {
      // The last counts are not exact, as they would not be at the end.
    } finally {
      OwnBuffers.end();
    }
  }

  private static synchronized void settle(Tracking tracking) throws ReflectiveOperationException {
    if (settled || !tracking.settings().gcAtExit()) {
      return;
    }
    settled = true;
    List<KindCounts> before = kinds(tracking);
    WeakReference<Object> recorded = uncollected;
    if ((recorded == null || recorded.refersTo(null))
        && !isAnythingOpen(before)
        && tracking.entries() == 0
        && NativeMemory.held() < MUCH_NATIVE) {
      return;
    }
    WeakReference<Object> found = new WeakReference<>(new Object());
    System.gc();
    if (!found.refersTo(null)) {
      tracking.stoodDown().add(NO_COLLECTION);
    }
    long end = System.nanoTime() + SETTLE_NANOS;
    long held = NativeMemory.held();
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
      long heldNow = NativeMemory.held();
      if (!ended(now).equals(ended(before)) || heldNow < held) {
        quiet = 0;
      }
      held = heldNow;
      before = now;
    }
  }

  /**
   * Whether anything is open that a collection could find, be it the probe of a kind that is in
   * use. Of some kinds the program has only addresses.
   */
  private static boolean isAnythingOpen(List<KindCounts> kinds) {
    for (KindCounts kind : kinds) {
      if (isSmall(kind)) {
        continue;
      }
      boolean probed = kind.opened() > 0 && kind.proof().equals(Proof.State.CLOSED.label());
      if (probed || (kind.open() > 0 && !isAddress(kind.kind()))) {
        return true;
      }
    }
    return false;
  }

  /** Each program has a few open objects of the JDK, and threads that no collection ends. */
  private static boolean isSmall(KindCounts kind) {
    for (String prefix : SMALL) {
      if (kind.kind().startsWith(prefix, CLOSEABLE.length())) {
        return kind.open() < MANY || kind.kind().equals(CLOSEABLE + "java.lang.Thread");
      }
    }
    return false;
  }

  private static boolean isAddress(String name) {
    for (int kind = 0; kind < Kind.COUNT; kind++) {
      if (Kind.isAddress(kind) && Kind.name(kind).equals(name)) {
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
  public static boolean isEnding() {
    try {
      Thread hook = new Thread("offcut asks");
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  /**
   * The counts of a kind, all bytes but the last two of what is or was open: closed is by the
   * program, collected is late, lost is never; unseen are those of the closed that nobody saw freed
   * before their address was another one's. The proof is the label of a {@link Proof.State}.
   */
  public record KindCounts(
      String kind,
      long opened,
      long closed,
      long collected,
      long lost,
      long openedBytes,
      long lostBytes,
      long bytes,
      long peakBytes,
      long unseen,
      String proof) {
    static KindCounts of(String kind, long[] numbers, String proof) {
      // Of finalizers of objects that were there before the agent nobody knows.
      boolean finalizer = kind.equals(Kind.name(Kind.FINALIZER));
      long collected = numbers[Counts.COLLECTED];
      return new KindCounts(
          kind,
          numbers[Counts.OPENED],
          numbers[Counts.CLOSED],
          finalizer ? Math.min(collected, numbers[Counts.OPENED]) : collected,
          numbers[Counts.LOST],
          numbers[Counts.OPENED_BYTES],
          numbers[Counts.LOST_BYTES],
          numbers[7],
          numbers[8],
          numbers[9],
          proof);
    }

    /** How many are open. */
    public long open() {
      return opened - closed - collected - lost;
    }
  }

  /**
   * The counts of a place, as those of a kind: estimated from stacks that were taken.
   *
   * @param line which of the frames is the program's line
   * @param through the code sources of the frames further in, a line each
   * @param owner the class in whose constructor they were opened, and the method that ends it; or
   *     empty
   * @param course how many were open over time; null if that is not known
   */
  public record SiteCounts(
      String kind,
      String frames,
      int line,
      String through,
      long opened,
      long closed,
      long collected,
      long lost,
      long bytes,
      long lostBytes,
      long samples,
      String owner,
      @Nullable List<Long> course) {

    /** What does not change of them. */
    record Place(String kind, String frames) {}

    Place place() {
      return new Place(kind, frames);
    }

    /** As {@link Sites#all} has one. */
    private static SiteCounts of(Object[] parts) throws ReflectiveOperationException {
      long[] numbers = (long[]) parts[2];
      long rest =
          numbers[Counts.OPENED_BYTES] - numbers[Counts.FREED_BYTES] - numbers[Counts.LOST_BYTES];
      return new SiteCounts(
          name((Integer) parts[0]),
          (String) parts[1],
          (Integer) parts[3],
          (String) parts[4],
          numbers[Counts.OPENED],
          numbers[Counts.CLOSED],
          numbers[Counts.COLLECTED],
          numbers[Counts.LOST],
          Math.max(0, rest),
          numbers[Counts.LOST_BYTES],
          numbers[Counts.SAMPLES],
          (String) parts[5],
          points((long[]) parts[6]));
    }

    private static @Nullable List<Long> points(long @Nullable [] course) {
      if (course == null) {
        return null;
      }
      List<Long> points = new ArrayList<>(course.length);
      for (long point : course) {
        points.add(point);
      }
      return points;
    }

    /** How many of both were open over time, at as many points as one has. */
    static @Nullable List<Long> sum(@Nullable List<Long> one, @Nullable List<Long> two) {
      if (one == null || two == null) {
        return one == null ? two : one;
      }
      List<Long> sum = new ArrayList<>();
      long[] open = new long[2];
      for (int i = 0, j = 0; i < one.size() || j < two.size(); ) {
        boolean isFirst =
            j == two.size() || (i < one.size() && time(one.get(i)) <= time(two.get(j)));
        long point = isFirst ? one.get(i++) : two.get(j++);
        open[isFirst ? 0 : 1] = point - (time(point) << OPEN_BITS);
        sum.add((time(point) << OPEN_BITS) + open[0] + open[1]);
      }
      while (sum.size() > Math.max(one.size(), two.size())) {
        for (int i = sum.size() - 2; i >= 0; i -= 2) { // the last one stays
          sum.remove(i);
        }
      }
      return sum;
    }

    private static long time(long point) {
      return point >> OPEN_BITS;
    }

    /** Both together, of which this one has the frames. */
    SiteCounts plus(SiteCounts other) {
      return new SiteCounts(
          kind,
          frames,
          line,
          through,
          opened + other.opened,
          closed + other.closed,
          collected + other.collected,
          lost + other.lost,
          bytes + other.bytes,
          lostBytes + other.lostBytes,
          samples + other.samples,
          owner,
          sum(course, other.course));
    }

    /** Whether it fills arenas that others may have opened. */
    boolean isFilled() {
      return kind.endsWith(Kind.FILLED_NAME);
    }

    /** How many are open. */
    public long open() {
      return opened - closed - collected - lost;
    }
  }
}
