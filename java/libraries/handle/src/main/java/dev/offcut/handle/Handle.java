package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * An object that stands for one native resource and closes it exactly once.
 *
 * <pre>{@code
 * final class Image extends Handle {
 *   private static final HandleType TYPE =
 *       HandleType.named("image").releaser(Native::freeImage).create();
 *
 *   Image(int width, int height) {
 *     open(() -> Native.newImage(width, height));
 *   }
 *
 *   int width() {
 *     return (int) withLong(Native::width);
 *   }
 *
 *   protected HandleType type() {
 *     return TYPE;
 *   }
 * }
 * }</pre>
 *
 * <p><b>Ownership.</b> From {@link #open} on, the handle owns the resource. {@link #close} releases
 * it. A handle that became unreachable without a close is <i>forgotten</i>: the safety net, in
 * short the net, releases its resource once, some time later, and counts it. The net does not run
 * at exit, and does not promise when it releases a handle. It releases children before their
 * parents, and promises no other order.
 *
 * <p><b>Threads.</b> Any thread may close a handle, and several threads may do so at once: one of
 * them releases the resource. Before other threads use a handle, it must be published safely, like
 * any object. A plain {@code Handle} does not protect a use from a close in another thread; a
 * {@link GuardedHandle} does.
 *
 * <p><b>Failures.</b> A use after the close throws a {@link ClosedHandleException}. A close while
 * the native open runs throws an {@link IllegalStateException}. If the releaser throws, the closer
 * gets its exception, and the handle is closed all the same. The net itself throws an {@link
 * OutOfMemoryError} only before the native open. If a program forgets handles faster than the net
 * releases them, constructors may wait before the native open.
 */
public abstract class Handle implements AutoCloseable {
  /*
   * The protocol.
   *
   *             new            open()                 a GC cycle, a full or an aged nursery
   *   (nothing) ───▶ OPENING ─────────▶ YOUNG ────────────────────────────────▶ TENURED
   *                     │ native open     │ close                                  │ close
   *                     │ threw           ▼                                        ▼
   *                     └─────────────▶ CLOSED ◀──────────────────────────────── CLOSED
   *
   *            new and OPENING   YOUNG                TENURED
   *   link     Slot              Slot                 Tracker
   *   encoded  0                 value ^ CODE         value ^ CODE
   *   owner    the opener        nursery's record     the tracker
   *
   * A java.lang.ref.Cleaner makes a Reference at each registration, although nearly every resource is closed within
   * microseconds. So a handle starts YOUNG: it has a slot in its thread's nursery, and no Reference.
   * A nursery has a table of slots, a record of raw values, and a token, to which its handles refer: a
   * PhantomReference to the token tells when the last of them is gone. A handle that is still open
   * after a GC cycle is promoted: it gets a PhantomReference of its own.
   *
   * 1. One word decides. Closers and promoters compare-and-set `link`. The winner owns the place that the link named, and empties it. The link
   *    of a closed handle is null, or a ClosedMark that carries call sites at the levels that record
   *    them.
   * 2. A tenured handle may become unreachable as soon as its link is gone. So a second compare-and-set
   *    decides between the closer and the net: on the registry's cell. A young handle needs no second one, because slot.vacate() keeps the token reachable.
   * 3. The record is cleared before the resource is released: a leak is better than a double free.
   *    A StackProbe looks before the first change whether the stack suffices for all of them.
   * 4. The place in the record exists before the resource: the constructor takes it with the slot. After
   *    the native open returns, two plain stores fill it, and they cannot throw.
   * 5. Under memory pressure the collector drops the table, which hangs on a SoftReference, never the
   *    record. The handles of a dropped table form a group: the values left in the record are released
   *    once the last of these handles is gone. The nursery learns of that moment, because it is a
   *    PhantomReference to their token.
   *
   * The value is stored XOR a constant. So 0 can mean "opening", although 0 is also a valid address,
   * descriptor or id. One raw value cannot be stored: the constant itself, which is no address on any
   * 64-bit machine. Adopting it releases it and throws.
   *
   * Layout with 12-byte headers: header, link 4, value 8 = 24 bytes. The type is a constant of the
   * subclass.
   */

  /** What a raw value is XOR-ed with; no canonical address. */
  static final long CODE = 0x9E37_79B9_7F4A_7C15L;

  private static final VarHandle LINK;
  private static final VarHandle ENCODED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      LINK = lookup.findVarHandle(Handle.class, "link", Object.class);
      ENCODED = lookup.findVarHandle(Handle.class, "encoded", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The place: a slot or a tracker. Null or a {@link Events.ClosedMark} once closed. */
  volatile @Nullable Object link;

  /** The raw value XOR {@link #CODE}; 0 while opening. */
  private long encoded;

  /**
   * Reserves a place for this handle in the net. If memory is short, this constructor throws before
   * a resource exists.
   *
   * @throws IllegalStateException if the type has a {@code childOf}, or if it has a close policy
   *     and this class is not a {@link GuardedHandle}
   */
  @SuppressWarnings("this-escape") // on purpose: rule 4, and type() is a constant
  protected Handle() {
    type().reserve(this, null);
  }

  /**
   * Reserves a place for this handle in the net, as a child of {@code parent}. The parent's
   * resource is released only after this handle's resource. The child does not keep the parent
   * object reachable.
   *
   * <p>If the constructor of a subclass throws before {@link #open}, the place stays reserved until
   * the net removes it. A parent that is closed under {@code DEFER} or {@code CASCADE} then waits
   * for that.
   *
   * @param parent an open handle, of the type that {@link HandleType.Builder#childOf} was given
   * @throws IllegalStateException if the type is declared for another parent
   * @throws ClosedHandleException if the parent is closed or closing
   */
  @SuppressWarnings("this-escape") // as above
  protected Handle(GuardedHandle parent) {
    type().reserve(this, parent);
  }

  /** For handles that reserve their place only after their fields are set. */
  Handle(boolean reserveLater) {
    assert reserveLater;
  }

  /**
   * {@return the type of this handle: a constant of the class} The constructor of {@code Handle}
   * calls this method, so the result must not depend on a field.
   */
  protected abstract HandleType type();

  /**
   * Refuses: a copy would be a second owner of the resource, and release it again.
   *
   * @throws CloneNotSupportedException always, even if the class is {@link Cloneable}
   */
  @Override
  protected final Object clone() throws CloneNotSupportedException {
    throw new CloneNotSupportedException(
        type().name() + ": a handle is the one owner of its resource, and cannot be copied");
  }

  /** A native call that creates a resource. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Creates the resource, or throws if it cannot.
     *
     * @return its raw value
     * @throws Throwable what {@link Handle#open} then throws, as described there
     */
    long open() throws Throwable;
  }

  /**
   * A use of the raw value that returns an object.
   *
   * @param <R> the type of the result
   */
  @FunctionalInterface
  public interface Use<R extends @Nullable Object> {
    /**
     * Uses the value, which must not be kept beyond the call.
     *
     * @param value the raw value
     * @return what {@link Handle#with} returns
     * @throws Throwable what {@link Handle#with} then throws, as described there
     */
    R apply(long value) throws Throwable;
  }

  /** A use of the raw value that returns a number. */
  @FunctionalInterface
  public interface LongUse {
    /**
     * Uses the value, which must not be kept beyond the call.
     *
     * @param value the raw value
     * @return what {@link Handle#withLong} returns
     * @throws Throwable what {@link Handle#withLong} then throws, as described there
     */
    long apply(long value) throws Throwable;
  }

  /**
   * Calls the native open and takes ownership of the resource that it returns. Call this method
   * once, in the constructor or in a factory. If the native open throws, the handle gives its place
   * in the net back, and {@link #isClosed} returns true. Snapshots do not count this opening.
   *
   * <p>Between the return of the native function and the return of {@code opener}, allocate no Java
   * objects: an {@link OutOfMemoryError} there would lose the resource. Take an address as a {@code
   * long}, or read it from an out-parameter that was allocated before.
   *
   * <p>An unchecked exception of {@code opener} is thrown on unchanged. A checked one becomes the
   * cause of an {@link java.lang.reflect.UndeclaredThrowableException}.
   *
   * @param opener creates the resource
   * @throws IllegalStateException if this handle is not new
   * @throws IllegalArgumentException if the raw value is {@code 0x9E3779B97F4A7C15}. This value is
   *     reserved; it is no address on any 64-bit machine. This method has released the resource
   */
  protected final void open(Opener opener) {
    if (!isOpening() || closed() || !(link instanceof Slot slot)) {
      throw new IllegalStateException(type().name() + ": open on a handle that is not new");
    }
    StackProbe.check(); // after the native open returned, nothing may throw
    boolean opened = false;
    try {
      long code = opener.open() ^ CODE;
      if (encoded != 0 || link != slot) {
        throw notOpening();
      }
      if (code == 0) {
        refuseReserved(code ^ CODE);
      }
      record(slot, code);
      opened = true;
    } catch (Throwable t) {
      throw type().unchecked(t);
    } finally {
      if (!opened) {
        abandon();
      }
    }
  }

  /**
   * Takes ownership of a resource. This is the second half of {@link #open}, for code that calls
   * the native open itself. This method allocates nothing. For a new handle, it fails only for the
   * reserved value.
   *
   * @param raw the raw value of the resource
   * @throws IllegalStateException if the handle is not opening; the caller still owns the resource
   * @throws IllegalArgumentException if the raw value is {@code 0x9E3779B97F4A7C15}. This value is
   *     reserved; it is no address on any 64-bit machine. This method has released the resource
   */
  protected final void adopt(long raw) {
    StackProbe.check();
    long code = raw ^ CODE;
    // Acquire is enough: an opening handle's link is written by its own thread alone.
    if (encoded != 0 || !(LINK.getAcquire(this) instanceof Slot slot)) {
      throw notOpening();
    }
    if (code == 0) {
      refuseReserved(raw);
    }
    record(slot, code);
  }

  private void record(Slot slot, long code) {
    slot.token.record[slot.index] = code;
    // Release: a promoter that sees the value (acquire, in code()) empties the record after this
    // thread filled it. Without it a value could stand in a record that its handle has left.
    ENCODED.setRelease(this, code);
  }

  private IllegalStateException notOpening() {
    return new IllegalStateException(
        type().name() + ": adopt on a handle that is not opening; the caller still owns the value");
  }

  private void refuseReserved(long raw) {
    try {
      type().release(0, null);
    } finally {
      abandon();
    }
    throw new IllegalArgumentException(
        type().name()
            + ": the value 0x"
            + Long.toHexString(raw)
            + " is reserved and cannot be tracked; the resource has been released");
  }

  /**
   * Gives the reserved place in the net back, after a failed native open. It has no effect on a
   * handle that is open or closed.
   */
  protected final void abandon() {
    if (encoded == 0 && link instanceof Slot slot) {
      StackProbe.check();
      Object attachment = slot.attachment();
      Site site = slot.site();
      if (LINK.compareAndSet(this, slot, null)) {
        slot.vacate();
        type().abandoned(site);
        Family.leave(attachment);
      }
    }
  }

  /**
   * Calls {@code use} with the raw value, and keeps the handle reachable until {@code use} returns.
   * So the net cannot release the resource during the use.
   *
   * <p>An unchecked exception of {@code use} is thrown on unchanged. A checked one becomes the
   * cause of an {@link java.lang.reflect.UndeclaredThrowableException}. Code that has to catch a
   * checked exception can call {@link #beginUse} instead.
   *
   * @param use receives the raw value
   * @param <R> the type of the result
   * @return the result of {@code use}
   * @throws ClosedHandleException if the handle is closed or closing
   */
  public final <R extends @Nullable Object> R with(Use<R> use) {
    long raw = beginUse();
    try {
      return use.apply(raw);
    } catch (Throwable t) {
      throw type().unchecked(t);
    } finally {
      if (leave()) {
        closeProbed();
      }
    }
  }

  /**
   * Calls {@code use} as {@link #with} does, for a use that returns a number; the number is not
   * boxed.
   *
   * @param use receives the raw value
   * @return the result of {@code use}
   * @throws ClosedHandleException if the handle is closed or closing
   */
  public final long withLong(LongUse use) {
    long raw = beginUse();
    try {
      return use.apply(raw);
    } catch (Throwable t) {
      throw type().unchecked(t);
    } finally {
      if (leave()) {
        closeProbed();
      }
    }
  }

  /**
   * Begins a use and returns the raw value, for code that cannot pass a lambda. The value is valid
   * until {@link #endUse}, which the caller must call in a {@code finally}.
   *
   * @return the raw value
   * @throws ClosedHandleException if the handle is closed or closing
   */
  public final long beginUse() {
    return enter();
  }

  /**
   * Ends a use that {@link #beginUse} began.
   *
   * @throws IllegalStateException if the handle is a {@link GuardedHandle} that is not in use
   */
  public final void endUse() {
    StackProbe.check();
    if (leave()) {
      closeProbed();
    }
  }

  /**
   * {@return whether the handle is closed or closing} The answer may be out of date at once,
   * because another thread may close the handle.
   */
  public final boolean isClosed() {
    return closed();
  }

  /**
   * Releases the resource, on the calling thread unless the type's {@link CloseInUse} or {@link
   * CloseWithChildren} says otherwise. Further calls do nothing.
   *
   * @throws HandleBusyException if a {@link GuardedHandle} is in use or has open children, and its
   *     type's {@link CloseInUse} or {@link CloseWithChildren} refuses the close
   * @throws IllegalStateException if the native open has not returned yet
   */
  @Override
  public final void close() {
    closeHandle();
  }

  /**
   * Returns type, state and identity. The text never has the raw value, so that nobody keeps it.
   */
  @Override
  public String toString() {
    String state = closed() ? "closed" : isOpening() ? "opening" : "open";
    return type().name() + "@" + Integer.toHexString(System.identityHashCode(this)) + " " + state;
  }

  final boolean isOpening() {
    return code() == 0;
  }

  /** The encoded value; 0 while opening. Acquire: pairs with {@link #adopt}. */
  final long code() {
    return (long) ENCODED.getAcquire(this);
  }

  /** Sets the link of a new handle, before its slot is published. */
  final void start(Slot slot) {
    LINK.set(this, slot); // plain: the slot's publish orders it
  }

  /** The promoter's half of rule 1. */
  final boolean promote(Slot from, Tracker to) {
    return LINK.compareAndSet(this, from, to);
  }

  // What GuardedHandle refines.

  long enter() {
    Object place = link;
    if (isClosed(place)) {
      throw closedException(place);
    }
    long code = code();
    if (code == 0) {
      throw new IllegalStateException(type().name() + ": used while its native open is under way");
    }
    return code ^ CODE;
  }

  /**
   * Ends a use; true for the last one out, if it is to close the handle. Keeps the handle reachable
   * to here: by a volatile read, for compilers that drop the fence.
   */
  @SuppressWarnings("ReachabilityFenceUsage") // the callers call this from their finally
  boolean leave() {
    if (link == this) {
      throw new AssertionError("a handle's link is never the handle");
    }
    Reference.reachabilityFence(this); // not always honoured up to JDK 25: JDK-8290892
    return false;
  }

  boolean closed() {
    return isClosed(link);
  }

  private static boolean isClosed(@Nullable Object link) {
    return link == null || link instanceof Events.ClosedMark;
  }

  void closeHandle() {
    StackProbe.check();
    closeProbed();
  }

  /** Closes; the caller has probed the stack before it changed anything. */
  final void closeProbed() {
    Object place = link;
    if (place instanceof Slot slot && slot.token.extras == null) {
      checkOpened();
      if (LINK.compareAndSet(this, slot, null)) {
        long code = encoded; // plain: set before the link could be read by another thread
        slot.vacate();
        type().release(code, null);
        return;
      }
    }
    closeSlowly();
  }

  final void checkOpened() {
    if (isOpening() && !closed()) {
      throw new IllegalStateException(
          type().name()
              + ": closed while its native open is under way; close it after the open returned");
    }
  }

  private void closeSlowly() {
    checkOpened();
    HandleType type = type();
    long code = code();
    while (true) {
      Object place = link;
      if (isClosed(place)) {
        return; // closed by another
      }
      Object attachment = attachment(place);
      Site opened = site(place);
      Events.ClosedMark mark = Events.ClosedMark.of(opened);
      if (LINK.compareAndSet(this, place, mark)) {
        if (take(place)) {
          Site.noteClosed(opened);
          try {
            type.release(code, attachment);
          } finally {
            Family.leave(attachment);
          }
        }
        return;
      }
    }
  }

  final ClosedHandleException closedException() {
    return closedException(link);
  }

  private ClosedHandleException closedException(@Nullable Object place) {
    return Events.usedAfterClose(type(), place instanceof Events.ClosedMark mark ? mark : null);
  }

  // What the link of an open handle names: a slot or a tracker.

  private static @Nullable Object attachment(@Nullable Object place) {
    if (place instanceof Slot slot) {
      return slot.attachment();
    }
    return place instanceof Tracker tracker ? tracker.attachment() : null;
  }

  private static @Nullable Site site(@Nullable Object place) {
    if (place instanceof Slot slot) {
      return slot.site();
    }
    return place instanceof Tracker tracker ? tracker.site() : null;
  }

  /**
   * Empties the place that the link named; true if its resource is the caller's now, false if the
   * net was first, which can be only after the handle became unreachable.
   */
  private boolean take(@Nullable Object place) {
    boolean taken;
    if (place instanceof Slot slot) {
      slot.vacate();
      taken = true;
    } else {
      taken = place instanceof Tracker tracker && Segment.remove(tracker);
    }
    if (link == this) { // likewise, or the net may find it forgotten here, and count it so
      throw new AssertionError("a handle's link is never the handle");
    }
    return taken;
  }

  /** Promotes this handle now, into the place that a handle with children needs. */
  final Family trackAsParent(Family family) {
    StackProbe.check();
    long code = code();
    while (true) {
      Object place = link;
      if (isClosed(place)) {
        throw closedException(place);
      }
      if (place instanceof Tracker.OfParent parent) {
        return parent.family; // another thread was first
      }
      Tracker tracker = new Tracker.OfParent(this, type(), attachment(place), site(place), family);
      family.trackedBy(tracker);
      type().registry.insert(tracker);
      if (LINK.compareAndSet(this, place, tracker)) {
        tracker.value = code;
        take(place); // this handle is reachable, so the net has not seen it
        if (!(place instanceof Tracker)) {
          type().counters.promoted.getAndIncrement();
        }
        return family;
      }
      Segment.remove(tracker);
    }
  }
}
