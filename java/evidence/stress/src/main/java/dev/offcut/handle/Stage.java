package dev.offcut.handle;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the tests set up by hand where the net does it by itself: nurseries that the reaper does not
 * know, handles in them, and the net's visit to what it would find forgotten.
 *
 * <p>A nursery for each state, so that a promoter meets that state's handles alone: in a common one
 * the first promoter of a stride would do the work of all.
 */
final class Stage {
  /** A close that closed, or a promise that was kept. */
  static final int DONE = 1;

  /** A close that was refused. */
  static final int REFUSED = 0;

  private static final MethodHandle NURSERY;
  private static final VarHandle LINK;
  private static final VarHandle PARENT;
  private static final VarHandle FAMILY;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      NURSERY =
          MethodHandles.privateLookupIn(Nursery.class, lookup)
              .findConstructor(
                  Nursery.class,
                  MethodType.methodType(
                      void.class,
                      Nurseries.class,
                      Object.class,
                      NurseryToken.class,
                      Slot[].class,
                      Detection.class));
      LINK =
          MethodHandles.privateLookupIn(Handle.class, lookup)
              .findVarHandle(Handle.class, "link", Object.class);
      PARENT =
          MethodHandles.privateLookupIn(Family.class, lookup)
              .findVarHandle(Family.class, "parent", WeakReference.class);
      FAMILY =
          MethodHandles.privateLookupIn(Tracker.OfParent.class, lookup)
              .findVarHandle(Tracker.OfParent.class, "family", Family.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Stage() {}

  /** A handle with the value that its native open is going to return. */
  interface Valued {
    long value();
  }

  /** A nursery that the reaper does not know, for a test's threads to play owner and promoter. */
  static Nursery nursery(HandleType type, int slots) {
    NurseryToken.Extras extras =
        type.hasAttachments() ? new NurseryToken.Extras(slots, true, false) : null;
    NurseryToken token = new NurseryToken(slots, extras);
    @Nullable Slot[] table = new Slot[slots];
    table[0] = new Slot(token, 0);
    try {
      return (Nursery)
          NURSERY.invokeExact(type.nurseries, Nursery.SHARED, token, table, Detection.COUNT);
    } catch (Throwable t) {
      throw new AssertionError("the constructor of Nursery", t);
    }
  }

  /** Reserves a place in the nursery; false when it is full. */
  static boolean reserve(Handle handle, Nursery in, @Nullable Object attachment) {
    return start(handle, in.claimSlowly(), attachment);
  }

  /** Puts a new handle into a slot that was claimed for it; false for none. */
  static boolean start(Handle handle, @Nullable Slot slot, @Nullable Object attachment) {
    if (slot == null) {
      return false;
    }
    if (attachment != null) {
      Objects.requireNonNull(slot.token.extras).attach(slot.index, attachment);
    }
    handle.start(slot);
    slot.publish(handle);
    return true;
  }

  /** The native open and its record. */
  static <H extends Handle & Valued> H adopt(H handle) {
    handle.adopt(Book.open(handle.value()));
    return handle;
  }

  /** Opened in its thread's nursery, as programs do. */
  static <H extends Handle & Valued> H open(H handle) {
    handle.type().reserve(handle, null);
    return adopt(handle);
  }

  /** Opened in a nursery of the test's. */
  static <H extends Handle & Valued> H open(H handle, Nursery in) {
    if (!reserve(handle, in, null)) {
      throw new AssertionError("the nursery is full");
    }
    return adopt(handle);
  }

  /** Opened and promoted. */
  static <H extends Handle & Valued> H tenured(H handle) {
    Nursery nursery = nursery(handle.type(), 1);
    open(handle, nursery);
    Promotion.of(nursery);
    return handle;
  }

  /** A child, opened in its thread's nursery, as programs do. */
  static Subject child(HandleType type, GuardedHandle parent, long value) {
    return open(new Subject(type, value), parent);
  }

  /** As {@link #open(Handle)}, of a child. */
  static <H extends Handle & Valued> H open(H child, GuardedHandle parent) {
    child.type().reserve(child, parent);
    return adopt(child);
  }

  /** A child in a nursery of the test's. */
  static Subject child(Nursery in, GuardedHandle parent, long value) {
    Subject child = new Subject(in.type, value);
    if (!reserve(child, in, parent.addChild(child))) {
      throw new AssertionError("the nursery is full");
    }
    return adopt(child);
  }

  /**
   * Lets the quicker actor of a test come a little later, each time by another pause of up to a
   * microsecond: the slower one would else always be met at the same early step.
   */
  static void jitter(long value) {
    int rounds = (int) ((value * Handle.CODE) >>> 56);
    for (int i = 0; i < rounds; i++) {
      Book.releases(value);
    }
  }

  /** Closes; says whether it was refused. */
  static int close(Handle handle) {
    try {
      handle.close();
      return DONE;
    } catch (HandleBusyException e) {
      return REFUSED;
    }
  }

  /** What the handle's link names. */
  static @Nullable Object place(Handle handle) {
    return LINK.getVolatile(handle);
  }

  /** The tracker of a tenured handle. */
  static Tracker tracker(Handle handle) {
    return (Tracker) Objects.requireNonNull(place(handle));
  }

  /** Values that the net would find once the nursery's table is dropped and its token dead. */
  static int left(Nursery nursery) {
    nursery.drop();
    return nursery.open();
  }

  /** The net's visit to a dead reference. */
  static void release(Forgotten forgotten) {
    Tally tally = new Tally();
    while (forgotten.releaseOne(tally) != Forgotten.Step.DONE) {
      Thread.onSpinWait();
    }
  }

  /** The family of a parent, by its tracker. */
  static Family family(Tracker parent) {
    return (Family) FAMILY.get((Tracker.OfParent) parent);
  }

  /** What the collector does to a family whose parent became unreachable, before it says so. */
  static void forgetParent(Family family) {
    ((WeakReference<?>) PARENT.get(family)).clear();
  }
}
