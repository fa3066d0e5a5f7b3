package dev.offcut.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One registration of a {@link Cleaner}: the PhantomReference on its object, and what holds its
 * action. 40 bytes.
 *
 * <pre>
 *            register            promotion
 *   (nothing) ──────▶ YOUNG ──────────────────▶ TENURED, at a cell of the registry
 *                       │ the table is sealed       ▲
 *                       ├──────────▶ WAITING ───────┘ the reaper's next look
 *                       ▼               ▼           ▼
 *                     DONE ◀── clean, or the net ── DONE
 * </pre>
 *
 * <p>A slot or a cell holds the registration, nothing of the net holds its object: the collector
 * finds the object in the cycle in which it would find it under {@code java.lang.ref.Cleaner}.
 *
 * <p>One word decides. {@code state} is compared-and-set by cleaners, the net and promoters; who
 * wins owns the place that the old state named, and empties it. A handle needs a second word in the
 * registry, since the net knows only its tracker; here the net has the registration itself.
 */
abstract class Registration extends PhantomReference<Object> implements Cleaner.Cleanable, Cell {
  /** In {@code place}, a slot. 0, so that the constructor stores nothing. */
  private static final int YOUNG = 0;

  private static final int DONE = -1;

  /** In {@link #WAITING_LIST}. */
  private static final int WAITING = -2;

  private static final VarHandle STATE;

  /** Registrations whose table was sealed before they got there, linked by {@code place}. */
  private static final AtomicReference<@Nullable Registration> WAITING_LIST =
      new AtomicReference<>();

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Registration.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The cell's index + 1 where that is positive. */
  private volatile int state;

  /** The slot, or the next in {@link #WAITING_LIST}. Touched by the owner of the place alone. */
  private @Nullable Object place;

  private final Runnable action;

  Registration(ReferenceQueue<Object> queue, Object referent, Runnable action) {
    super(referent, queue);
    this.action = action;
  }

  abstract HandleType type();

  /** Takes over the site that was recorded for its slot. */
  void takeSite(Slot slot) {}

  @Nullable Site site() {
    return null;
  }

  /**
   * Enters a slot that was claimed, however long ago. Nothing here needs memory or a lock. In a
   * sealed table nobody would look any more: see {@link Token#isSealed}.
   */
  @SuppressWarnings("ReachabilityFenceUsage") // nothing between throws
  final void enter(Slot slot, Object referent) {
    Token token = slot.token;
    if (token.isSpecial()) {
      takeSite(slot);
    }
    place = slot; // plain: the publish orders it
    slot.publish(this);
    if (token.isSpecial() && token.isSealed()) {
      awaitPlace(slot);
    }
    VarHandle.storeStoreFence(); // a Cleanable that reaches a thread by a race finds its slot
    Reference.reachabilityFence(referent); // else the net could find it before it is there
  }

  private void awaitPlace(Slot slot) {
    type().counters().waiting.getAndIncrement();
    if (!STATE.compareAndSet(this, YOUNG, WAITING)) {
      type().counters().waiting.getAndDecrement(); // promoted, or cleaned
      return;
    }
    slot.empty();
    push();
  }

  private void push() {
    Registration top;
    do {
      top = WAITING_LIST.get();
      place = top;
    } while (!WAITING_LIST.compareAndSet(top, this));
  }

  static boolean isAnyWaiting() {
    return WAITING_LIST.get() != null;
  }

  /** Places what is waiting in the registries; what memory does not allow waits on. */
  static void placeWaiting() {
    Registration waiting = isAnyWaiting() ? WAITING_LIST.getAndSet(null) : null;
    while (waiting != null) {
      Registration rest = (Registration) waiting.place;
      waiting.place = null;
      Promotion.of(waiting);
      waiting = rest;
    }
  }

  /** A promoter's insertion while waiting; without memory it waits on. */
  final void placed(int cell) {
    type().counters().waiting.getAndDecrement();
    if (!STATE.compareAndSet(this, WAITING, cell + 1)) {
      Segment.remove(cell, this); // cleaned meanwhile
    }
  }

  final void waitOn() {
    push();
  }

  /** The promoter's part: from its slot to the cell it stands in; false if it lost. */
  final boolean tenure(Slot from, int cell) {
    if (!STATE.compareAndSet(this, YOUNG, cell + 1)) {
      Segment.remove(cell, this); // another promoter was first, or it is done
      return false;
    }
    place = null; // a slot would keep its table's token
    from.empty();
    return true;
  }

  /** Makes it done and empties its place; true for the one caller that is to run the action. */
  private boolean leave() {
    if (STATE.compareAndSet(this, YOUNG, DONE)) {
      if (place instanceof Slot slot) {
        slot.empty();
      }
      return true;
    }
    return leaveSlowly();
  }

  private boolean leaveSlowly() {
    for (int seen = state; seen != DONE; seen = state) {
      if (STATE.compareAndSet(this, seen, DONE)) {
        if (seen > YOUNG) {
          Segment.remove(seen - 1, this);
        }
        clear(); // an old one: while the program keeps it, the collector need not look at it
        return true;
      }
    }
    return false;
  }

  @Override
  public final void clean() {
    if (leave()) {
      run();
    }
  }

  private void run() {
    try {
      action.run();
    } catch (Throwable t) {
      type().counters().failures.getAndIncrement();
      throw t;
    }
  }

  @Override
  public final Step releaseOne(Tally tally) {
    if (leave()) {
      type().releaseForgotten(0, action, site(), tally);
    }
    return Step.DONE;
  }

  @Override
  public final boolean isDead() {
    return refersTo(null);
  }

  @Override
  public final int index() {
    return state - 1;
  }

  /** Two promoters may try at once, each with a cell: {@link #tenure} says whose counts. */
  @Override
  public final void index(int cell) {}

  /** A registration of a cleaner with a thread of its own, or one whose site was recorded. */
  static final class Rich extends Registration {
    private final HandleType type;
    private @Nullable Site site;

    /** Registers; what memory does not allow fails before anything is registered. */
    static Registration register(HandleType type, Object referent, Runnable action) {
      Rich registration = new Rich(type, referent, action);
      registration.enter(type.nurseries().claim(null), referent);
      return registration;
    }

    Rich(HandleType type, Object referent, Runnable action) {
      super(type.loop().queue(), referent, action);
      this.type = type;
    }

    @Override
    HandleType type() {
      return type;
    }

    @Override
    void takeSite(Slot slot) {
      Extras extras = slot.token.extras;
      if (extras != null) {
        site = extras.site(slot.index);
        extras.clear(slot.index);
      }
    }

    @Override
    @Nullable Site site() {
      return site;
    }
  }
}
