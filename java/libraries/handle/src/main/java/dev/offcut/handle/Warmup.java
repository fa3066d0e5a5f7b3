package dev.offcut.handle;

import java.lang.ref.Reference;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Every path of the protocol, once, before a resource that could need it can exist: class
 * initialization and the linking of VarHandle call sites allocate, and the net promises that
 * nothing allocates between a native open and its record, nor between a handle's last state and its
 * release.
 *
 * <p>The first type runs what every handle may need. What only some programs use has a part of its
 * own, which runs before its first use:
 *
 * <pre>
 *   ensure         the first type: young, promoted, closed, forgotten
 *   guarded        the first guarded handle, or the first type with a close policy
 *   families       the first type of children: nothing else gives a parent a child
 *   registrations  the first cleaner
 *   sites          the first level that records call sites
 * </pre>
 *
 * <p>What links at its first call, and if memory does not allow it then is broken for ever, does
 * not occur at all where a heap may be full: no lambda, no method reference, no record as a key.
 * Strings are concatenated inline. Nor do lambdas occur here, where each would cost a program's
 * start a class made anew.
 */
final class Warmup {
  private static final String NAME = "offcut.warmup";

  private static volatile boolean done;
  private static volatile boolean guarded;
  private static volatile boolean families;
  private static volatile boolean registrations;
  private static volatile boolean sites;

  private Warmup() {}

  // Each may throw an OutOfMemoryError to its caller, who has opened nothing; the next tries again.
  // Threads that come at the same time all run a part, with types of their own. No lock: a virtual
  // thread that waits for one gives its carrier up, and may be chosen to have it next. Types are
  // created in the initializers of classes; if virtual threads that wait for such a class are on
  // all
  // carriers, and the initializer wants the lock, none of them goes on.

  /** More than any part needs, in pieces that no collector treats as large. */
  private static final int ROOM_PIECES = 128;

  private static final int PIECE_BYTES = 4096;

  /**
   * Throws where memory is short, before anything is initialized: a class whose initialization
   * fails is broken for ever. Another thread may take the room, so this is likely enough, not
   * certain.
   */
  private static void checkRoom() {
    byte[][] room = new byte[ROOM_PIECES][];
    for (int i = 0; i < ROOM_PIECES; i++) {
      room[i] = new byte[PIECE_BYTES];
    }
    if (room[0].length != PIECE_BYTES) { // keeps all of them until here
      throw new AssertionError("offcut: an array has another length than it was made with");
    }
  }

  /** For all types. */
  static void ensure() {
    if (!done) {
      runFirst();
    }
  }

  /** For guarded handles. */
  static void guarded() {
    if (!guarded) {
      checkRoom();
      Parts.runGuarded();
      guarded = true;
    }
  }

  /** For parents and children. */
  static void families() {
    if (!families) {
      checkRoom();
      Parts.runFamilies();
      families = true;
    }
  }

  /** For cleaners. */
  static void registrations() {
    if (!registrations) {
      checkRoom();
      Parts.runRegistrations();
      registrations = true;
    }
  }

  /** For the levels that record call sites. */
  static void sites() {
    if (!sites) {
      checkRoom();
      Parts.runSites();
      sites = true;
    }
  }

  private static void runFirst() {
    checkRoom();
    Reaper.pass(false, true);
    plain(HandleType.hidden(type()));
    locks();
    ReleaseWorker.warm();
    ReleaseLoop.warm();
    Reaper.warm();
    Promotion.warm();
    Unfinished.warm();
    Nursery.warm();
    Segment.warm();
    Tally.warm();
    Handle.warm();
    Events.warm();
    TypeState.warm();
    TypeState.Counters.warm();
    Forgotten.warm();
    Listeners.warm();
    if (Detection.isSiteRecorded()) {
      sites();
    }
    Statistics.Recorded.registerFirst();
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

  private static HandleType.Builder type() {
    return new HandleType.Builder(NAME).releaser(new Nothing());
  }

  private static void plain(HandleType type) {
    Tally tally = new Tally();
    new Warm(type, null, 1).close(); // young
    type.nurseries().claimShared(Thread.currentThread()).vacate();
    try {
      new Warm(type, null, -1);
    } catch (IllegalArgumentException e) {
      // the native open that fails
    }
    Warm closed = new Warm(type, null, 2);
    Warm forgotten = new Warm(type, null, 3);
    Reaper.rotate(type.nurseries());
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

  /**
   * What only some programs use. A class of its own: to verify it the JVM loads classes that the
   * others do without.
   */
  private static final class Parts {
    private Parts() {}

    static void runGuarded() {
      HandleType type = HandleType.hidden(type());
      Guarded used = new Guarded(type, 5);
      used.withLong(new Use());
      used.close();
      if (type.closeInUse() != CloseInUse.REFUSE
          || type.closeWithChildren() != CloseWithChildren.REFUSE
          || !type.waitLimit().isZero()) {
        throw new AssertionError("offcut: a type has other policies than those by default");
      }
    }

    static void runFamilies() {
      guarded();
      HandleType parents = HandleType.hidden(type().closeWithChildren(CloseWithChildren.CASCADE));
      families(parents, HandleType.hidden(type().childOf(parents)));
      Family.warm();
    }

    static void runRegistrations() {
      TypeState.expectCleaners();
      registrations(HandleType.hidden(new HandleType.Builder(NAME)));
      Registration.warm();
    }

    static void runSites() {
      HandleState.ClosedMark.warm();
      if (HandleState.ClosedMark.of(Site.here()) == null) {
        throw new AssertionError("offcut: a site was not remembered");
      }
      ThreadLocalRandom.current();
    }

    private static void registrations(HandleType type) {
      Tally tally = new Tally();
      Object object = new Object();
      Runnable action = new Nothing();
      Cleaner.Rich.register(type, object, action).clean();
      Registration forgotten = Cleaner.Rich.register(type, object, action);
      Registration cleaned = Cleaner.Rich.register(type, object, action);
      try {
        Promotion.placeWaiting();
        Reaper.rotate(type.nurseries());
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

    /** A registration whose table was sealed since the claim. */
    private static Registration late(HandleType type, Object object) {
      Slot slot = type.nurseries().claimShared(Thread.currentThread());
      slot.token.seal();
      Registration late = new Cleaner.Rich(type, object, new Nothing());
      late.enter(slot, object);
      return late;
    }

    private static void families(HandleType parents, HandleType children) {
      Guarded parent = new Guarded(parents, 5);
      new Warm(children, parent, 6).close();
      Warm child = new Warm(children, parent, 7);
      Warm lost = new Warm(children, parent, 8);
      Reaper.rotate(parents.nurseries());
      Reaper.rotate(children.nurseries());
      Tally tally = new Tally();
      lost.releaseByNet(tally);
      tally.forget(); // nobody is to hear of it
      parent.close();
      if (!child.isClosed() || !parent.isClosed()) {
        throw new AssertionError("offcut: the warm-up found an open handle");
      }
    }

    private static final class Guarded extends GuardedHandle implements Handle.Opener {
      private final HandleType type;
      private final long value;

      Guarded(HandleType type, long value) {
        super(true);
        this.type = type;
        this.value = value;
        type.reserve(this, null);
        open(this);
      }

      @Override
      public long open() {
        return nativeOpen(value);
      }

      @Override
      protected HandleType type() {
        return type;
      }
    }
  }

  /** What a program would give as lambdas. */
  private static final class Nothing implements Releaser, Runnable {
    @Override
    public void release(long value) {}

    @Override
    public void run() {}
  }

  private static final class Use implements Handle.LongUse {
    @Override
    public long apply(long value) {
      return value;
    }
  }

  private static final class Warm extends Handle implements Handle.Opener {
    private final HandleType type;
    private final long value;

    Warm(HandleType type, @Nullable GuardedHandle parent, long value) {
      super(true);
      this.type = type;
      this.value = value;
      type.reserve(this, parent);
      open(this);
    }

    @Override
    public long open() {
      return nativeOpen(value);
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
