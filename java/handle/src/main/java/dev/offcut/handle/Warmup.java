package dev.offcut.handle;

import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Every path of the protocol, once, before the first resource can exist: class initialization and
 * the linking of VarHandle call sites allocate, and the net promises that nothing allocates between
 * a native open and its record, nor between a handle's last state and its release.
 *
 * <p>What links at its first call, and if memory does not allow it then is broken for ever, does
 * not occur at all where a heap may be full: no lambda, no method reference, no record as a key.
 * Strings are concatenated inline.
 */
final class Warmup {
  private static final String NAME = "offcut.warmup";

  private static volatile boolean done;

  private Warmup() {}

  /** An OutOfMemoryError reaches whoever creates the type; the next type tries again. */
  static void ensure() {
    if (!done) {
      run();
    }
  }

  private static synchronized void run() {
    if (done) {
      return;
    }
    HandleType parents = HandleType.hidden(type().closeWithChildren(CloseWithChildren.CASCADE));
    HandleType groups = HandleType.hidden(type().groupSize(2));
    plain(HandleType.hidden(type()));
    plain(groups);
    moving(groups);
    families(parents, HandleType.hidden(type().childOf(parents)));
    registrations(HandleType.hidden(new HandleType.Builder(NAME)));
    tethers(HandleType.hidden(type()));
    if (HandleState.ClosedMark.of(Site.here()) == null) {
      throw new AssertionError("offcut: a site was not remembered");
    }
    ThreadLocalRandom.current();
    locks();
    catches();
    Statistics.registerFirst();
    done = true;
  }

  /**
   * What the JDK initializes when a thread first waits for a lock. If memory does not allow it
   * then, it never can be: from there on each lock of the program throws where it would wait.
   */
  private static void locks() {
    for (String name : List.of("AbstractQueuedSynchronizer$ExclusiveNode", "LockSupport")) {
      try {
        Class.forName("java.util.concurrent.locks." + name);
      } catch (ClassNotFoundException e) {
        // a JDK whose locks wait otherwise
      }
    }
  }

  /**
   * A class that is named in a catch clause is looked up when the clause first meets an exception,
   * through the class loader, which allocates: in a full heap the clause would not catch.
   */
  private static void catches() {
    ReleaseWorker.warm();
    ReleaseLoop.warm();
    Reaper.warm();
    Handles.warm();
    Promotion.warm();
    Unfinished.warm();
    Nursery.warm();
    Segment.warm();
    Registration.warm();
    Group.warm();
    Tally.warm();
    HandleState.ClosedMark.warm();
    Handle.warm();
    Events.warm();
    Family.warm();
    TypeState.warm();
    TypeState.Counters.warm();
    Forgotten.warm();
    Listeners.warm();
    Statistics.warm();
    Tethers.warm();
  }

  private static HandleType.Builder type() {
    return new HandleType.Builder(NAME).releaser(value -> {});
  }

  private static void registrations(HandleType type) {
    Tally tally = new Tally();
    Object object = new Object();
    Cleaner.Rich.register(type, object, () -> {}).clean();
    Registration forgotten = Cleaner.Rich.register(type, object, () -> {});
    Registration cleaned = Cleaner.Rich.register(type, object, () -> {});
    try {
      Reaper.pass(false, true);
      cleaned.clean();
      forgotten.releaseOne(tally);
      late(type, object).clean();
      Registration placed = late(type, object);
      Promotion.placeWaiting();
      placed.clean();
    } finally {
      Reference.reachabilityFence(object);
    }
    tally.forget(); // nobody is to hear of it
  }

  private static void tethers(HandleType type) {
    Tally tally = new Tally();
    Tether ended = type.tether(1);
    ended.move(2);
    ended.end();
    Tether forgotten = type.tether(3);
    Forgotten alarm = forgotten.alarm();
    if (alarm == null || alarm.releaseOne(tally) != Forgotten.Step.DONE) {
      throw new AssertionError("offcut: a tether had no alarm");
    }
    Tethers.lookAtAll(true);
    Tethers tethers = type.nurseries().tethers();
    if (tethers != null) {
      tethers.dropParked();
    }
    tally.forget(); // nobody is to hear of it
  }

  /** A registration whose table was sealed since the claim. */
  private static Registration late(HandleType type, Object object) {
    Slot slot = type.nurseries().claimShared(Thread.currentThread());
    slot.token.seal();
    Registration late = new Cleaner.Rich(type, object, () -> {});
    late.enter(slot, object);
    return late;
  }

  private static void plain(HandleType type) {
    Tally tally = new Tally();
    new Warm(type, 1).close(); // young
    type.nurseries().claimShared(Thread.currentThread()).vacate();
    try {
      new Warm(type, -1);
    } catch (IllegalArgumentException e) {
      // the native open that fails
    }
    Warm closed = new Warm(type, 2);
    Warm forgotten = new Warm(type, 3);
    Reaper.pass(false, true);
    closed.close(); // tenured
    forgotten.releaseByNet(tally);
    Nursery left = Nursery.create(type.nurseries(), Nursery.SHARED, 2);
    Thread current = Thread.currentThread();
    if (left.inherit(current, current)) { // a shared one has no heir; the path is linked
      throw new AssertionError("offcut: a thread inherited what no thread owned");
    }
    left.leave(1);
    while (left.releaseOne(tally) == Forgotten.Step.MORE) {
      // dropped with a value in its record
    }
    tally.forget(); // nobody is to hear of these
  }

  private static void moving(HandleType type) {
    Warm moved = new Warm(type, 4);
    Reaper.pass(false, true);
    moved.moveOut();
    moved.close();
  }

  private static void families(HandleType parents, HandleType children) {
    Guarded parent = new Guarded(parents, 5);
    parent.withLong(value -> value);
    new Warm(children, parent, 6).close();
    Warm child = new Warm(children, parent, 7);
    parent.close();
    if (!child.isClosed() || !parent.isClosed()) {
      throw new AssertionError("offcut: the warm-up found an open handle");
    }
  }

  private static final class Warm extends Handle {
    private final HandleType type;

    Warm(HandleType type, long value) {
      super(true);
      this.type = type;
      type.reserve(this, null);
      open(() -> nativeOpen(value));
    }

    Warm(HandleType type, GuardedHandle parent, long value) {
      super(true);
      this.type = type;
      type.reserve(this, parent);
      open(() -> nativeOpen(value));
    }

    @Override
    protected HandleType type() {
      return type;
    }
  }

  private static final class Guarded extends GuardedHandle {
    private final HandleType type;

    Guarded(HandleType type, long value) {
      super(true);
      this.type = type;
      type.reserve(this, null);
      open(() -> nativeOpen(value));
    }

    @Override
    protected HandleType type() {
      return type;
    }
  }

  private static long nativeOpen(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("there is no such resource");
    }
    return value;
  }
}
