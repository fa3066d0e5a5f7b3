package dev.offcut.agent.hooks;

import dev.offcut.agent.Tracking;
import dev.offcut.agent.base.Kind;
import dev.offcut.agent.base.concurrent.Counts;
import dev.offcut.agent.base.concurrent.Downcalls;
import dev.offcut.agent.base.concurrent.Probes;
import dev.offcut.agent.base.foreign.ArenaProbes;
import dev.offcut.agent.publish.Ledger;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What shows that a kind is counted rightly on this JDK: the agent opens and closes one of it, lets
 * another be found by the first collection that comes anyway, and looks at its own counts. The
 * shape of the JDK's classes does not show that: another class may have taken over their work.
 *
 * <p>A kind is tried when its counts are asked for, and each second, as soon as its classes are in
 * use: so a program pays for what it uses, and no start pays. What is counted otherwise than it
 * should be is not tracked any more.
 *
 * <p>Any thread.
 */
public final class Proof {
  /** How much is shown. */
  public enum State {
    /** Nothing: none was tried yet. */
    NONE("none"),
    /** That one is opened and closed. No collection has found the other one yet. */
    CLOSED("closed"),
    /** That one is opened and closed. A collection has found the other one: it is not counted. */
    MISSED("missed"),
    /** All. */
    FULL("full"),
    /** That it is counted wrongly. */
    REFUTED("refuted");

    private final String label;

    State(String label) {
      this.label = label;
    }

    /** As recordings and reports have it. */
    public String label() {
      return label;
    }
  }

  private static final String ARENA = "jdk.internal.foreign.MemorySessionImpl";
  private static final String BUFFER = "java.nio.DirectByteBuffer$Deallocator";
  private static final String UNSAFE = "sun.misc.Unsafe";
  private static final String MEMORY = "com.sun.jna.Memory";
  private static final String NATIVE = "com.sun.jna.Native";

  private static final long BYTES = 24;

  /** Where {@code Counts.of} has them. */
  private static final int OPEN_BYTES = 7;

  private static final String[] NUMBERS = {"opened", "closed", "collected", "lost"};

  private final Tracking tracking;
  private final int kind;
  private State state = State.NONE;

  /** Of the probes, before and after what was done last. */
  private long[] expected = new long[0];

  /** The one that was dropped, as long as no collection has found it. */
  private @Nullable Reference<?> dropped;

  /** It could not be tried: then it is tried no more. */
  private boolean failed;

  public Proof(Tracking tracking, int kind) {
    this.tracking = tracking;
    this.kind = kind;
  }

  public State state() {
    synchronized (Proof.class) {
      return state;
    }
  }

  /** Does what can be done now; in words what is wrong, or null. */
  public @Nullable String look(long opened) throws ReflectiveOperationException {
    // Of all kinds one at a time: the probes know one thread that opens them.
    synchronized (Proof.class) {
      if (state == State.NONE && !failed && isInUse(opened)) {
        return begin();
      }
      return state == State.CLOSED || state == State.MISSED ? await() : null;
    }
  }

  private boolean isInUse(long opened) throws ReflectiveOperationException {
    if (opened > 0) {
      return true;
    }
    if (kind == Kind.FINALIZER) {
      return Probes.finalizes();
    }
    if (kind == Kind.DOWNCALL) {
      return tracking.patching().links();
    }
    if (kind > Kind.BUFFER) {
      return false; // nothing opens one but the method that is rewritten, which the program calls
    }
    return Probes.isInUse(kind == Kind.BUFFER ? BUFFER : ARENA);
  }

  private @Nullable String begin() {
    long[] before = counts();
    try {
      Probes.begin(kind);
      try {
        return tryIt(before);
      } finally {
        Probes.end();
      }
    } catch (Throwable e) {
      // The program has run out of something, or nobody may do so here: that shows nothing.
      failed = true;
      return null;
    }
  }

  private @Nullable String tryIt(long[] before) throws Throwable {
    if (kind != Kind.AUTOMATIC && kind != Kind.FINALIZER) {
      close();
      expected = before.clone();
      expected[Counts.OPENED]++;
      expected[Counts.CLOSED]++;
      if (kind < Kind.AUTOMATIC) {
        expected[Counts.OPENED_BYTES] += ArenaProbes.BYTES;
      }
      String problem = problem("that was opened and closed", counts());
      if (problem != null) {
        return problem;
      }
    } else {
      expected = before.clone();
    }
    if (Kind.isAddress(kind)) {
      state = State.FULL; // no collector frees it
      return null;
    }
    dropped = new WeakReference<>(drop());
    expected[Counts.OPENED]++;
    state = State.CLOSED;
    return await();
  }

  private @Nullable String await() {
    // In this order: what the collector finds it has cleared before anybody counts it.
    boolean isGone = dropped != null && dropped.refersTo(null);
    // Looked at once: meanwhile the collector may find it.
    long[] now = counts();
    boolean arena = kind == Kind.CONFINED || kind == Kind.SHARED;
    int found = arena ? Counts.LOST : Counts.COLLECTED;
    boolean isFound = now[found] > expected[found];
    expected[found] += isFound ? 1 : 0;
    String problem = problem("that was dropped", now);
    if (problem == null && isFound && now[OPEN_BYTES] != 0) {
      expected[found]--; // it is counted before its bytes are
    } else if (problem == null && !isFound && isGone) {
      state = State.MISSED; // until it is counted
    } else if (problem == null && isFound) {
      state = State.FULL;
    }
    return problem;
  }

  /** In words how the probes' counts differ from what they are to be. */
  private @Nullable String problem(String which, long[] now) {
    StringBuilder wrong = new StringBuilder();
    for (int what = 0; what < NUMBERS.length; what++) {
      if (now[what] != expected[what]) {
        wrong.append(wrong.length() == 0 ? "" : ", ").append(NUMBERS[what]).append(' ');
        wrong.append(now[what]).append(", not ").append(expected[what]);
      }
    }
    if (wrong.length() == 0 && now[Counts.OPENED_BYTES] < expected[Counts.OPENED_BYTES]) {
      wrong.append(now[Counts.OPENED_BYTES]).append(" bytes, not ");
      wrong.append(expected[Counts.OPENED_BYTES]);
    }
    if (wrong.length() == 0 && state == State.NONE && now[OPEN_BYTES] != 0) {
      wrong.append(now[OPEN_BYTES]).append(" bytes open, not 0");
    }
    if (wrong.length() == 0) {
      return null;
    }
    state = State.REFUTED;
    return Kind.name(kind)
        + " is counted wrongly on this JDK (a probe "
        + which
        + ": "
        + wrong
        + ")";
  }

  private long[] counts() {
    Counts.drain();
    return Probes.counts(kind);
  }

  private void close() throws Throwable {
    if (kind == Kind.UNSAFE) {
      Class<?> type = Class.forName(UNSAFE);
      Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      Object only = field.get(null);
      Object block = type.getMethod("allocateMemory", long.class).invoke(only, BYTES);
      block =
          type.getMethod("reallocateMemory", long.class, long.class).invoke(only, block, 2 * BYTES);
      type.getMethod("freeMemory", long.class).invoke(only, block);
    } else if (kind == Kind.JNA) {
      Object memory = memory();
      memory.getClass().getMethod("close").invoke(memory);
    } else if (kind == Kind.DOWNCALL) {
      Downcalls.probe();
    } else if (kind == Kind.JNA_MALLOC) {
      Class<?> type = ofProgram(NATIVE);
      Object block = type.getMethod("malloc", long.class).invoke(null, BYTES);
      type.getMethod("free", long.class).invoke(null, block);
    } else {
      Probes.close(kind);
    }
  }

  /** Opens one that nobody closes; the object that the collector is to find. */
  private Object drop() throws ReflectiveOperationException {
    if (kind == Kind.JNA) {
      return memory();
    }
    if (kind == Kind.FINALIZER) {
      Probes.finalized = Finalized.class;
      return new Finalized();
    }
    return Probes.drop(kind);
  }

  /** Of one of the program's JNAs. */
  private Object memory() throws ReflectiveOperationException {
    return ofProgram(MEMORY).getConstructor(long.class).newInstance(BYTES);
  }

  private Class<?> ofProgram(String name) throws ClassNotFoundException {
    Class<?> type = tracking.patching().loaded(name);
    if (type == null) {
      throw new ClassNotFoundException(name);
    }
    return type;
  }

  /** Whether a collection has found a probe of one of these kinds that is not counted yet. */
  public static boolean isMissed(List<Ledger.KindCounts> kinds) {
    for (Ledger.KindCounts kind : kinds) {
      if (kind.proof().equals(State.MISSED.label())) {
        return true;
      }
    }
    return false;
  }

  /** Has a finalizer that does something: others are not registered. */
  private static final class Finalized {
    @SuppressWarnings("unused") // else there is nothing to be done
    private static volatile int run;

    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize", "Finalizers"}) // it is what is proven
    protected void finalize() {
      run = 1;
    }
  }
}
