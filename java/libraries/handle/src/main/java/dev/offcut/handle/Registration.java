package dev.offcut.handle;

import dev.offcut.handle.NurseryToken.Extras;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One registration of a {@code Cleaner}: the PhantomReference on its object, and what holds its
 * action.
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
final class Registration extends PhantomReference<Object>
    implements Segment.Cell, Cleaner.Cleanable {
  /** In {@code place}, a slot. 0, so that the constructor stores nothing. */
  private static final int YOUNG = 0;

  private static final int DONE = -1;

  /** In {@link #WAITING_LIST}. */
  private static final int WAITING = -2;

  private static final VarHandle STATE;

  /** Registrations whose table was sealed before they got there, linked by {@code place}. */
  static final AtomicReference<@Nullable Registration> WAITING_LIST = new AtomicReference<>();

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
  @Nullable Object place;

  private final Runnable action;

  /** The directory of its type. */
  final Nurseries nurseries;

  private @Nullable Site site;

  Registration(Nurseries nurseries, Object referent, Runnable action) {
    super(referent, nurseries.type.loop.references());
    this.nurseries = nurseries;
    this.action = action;
  }

  HandleType type() {
    return nurseries.type;
  }

  @Override
  public @Nullable Site site() {
    return site;
  }

  /** Takes over the site that was recorded for its slot. */
  private void takeSite(Slot slot) {
    Extras extras = slot.token.extras;
    if (extras != null) {
      site = extras.site(slot.index);
      extras.clearSite(slot.index);
    }
  }

  /**
   * Enters a slot that was claimed, however long ago. Nothing here needs memory or a lock. In a
   * sealed table nobody would look any more: see {@link NurseryToken#isSealed}.
   *
   * <p>Nothing is thrown once it is published: a caller who heard that the registration failed
   * would run the action, too. So the caller has probed the stack.
   */
  @SuppressWarnings("ReachabilityFenceUsage") // nothing before it throws
  void enter(Slot slot, Object referent) {
    NurseryToken token = slot.token;
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

  /** In the list before its slot is empty: one of the two always shows it. */
  private void awaitPlace(Slot slot) {
    if (STATE.compareAndSet(this, YOUNG, WAITING)) { // else promoted, or cleaned
      push();
      slot.empty();
    }
  }

  void push() {
    Registration top;
    do {
      top = WAITING_LIST.get();
      place = top;
    } while (!WAITING_LIST.compareAndSet(top, this));
  }

  static boolean isAnyWaiting() {
    return WAITING_LIST.get() != null;
  }

  /** How many of the type wait; one that is being placed counts as waiting, or as placed. */
  static int waiting(HandleType type) {
    int count = 0;
    if (isAnyWaiting()) {
      synchronized (WAITING_LIST) {
        Registration at = WAITING_LIST.get();
        while (at != null) {
          count += at.state == WAITING && at.type() == type ? 1 : 0;
          at = (Registration) at.place;
        }
      }
    }
    return count;
  }

  /** The promoter's part: from its slot, or from the list, to the cell; false if it lost. */
  boolean tenure(boolean young, int cell) {
    if (!STATE.compareAndSet(this, young ? YOUNG : WAITING, cell + 1)) {
      return false;
    }
    place = null; // a slot would keep its table's token
    return true;
  }

  /** Makes it done and empties its place; true for the one caller that is to run the action. */
  private boolean leave() {
    if (STATE.compareAndSet(this, YOUNG, DONE)) { // the usual case
      if (place instanceof Slot slot) {
        slot.empty();
      }
      return true;
    }
    int seen = state;
    while (seen != DONE && !STATE.compareAndSet(this, seen, DONE)) {
      seen = state;
    }
    if (seen == DONE) {
      return false;
    }
    if (seen > YOUNG) {
      Segment.remove(seen - 1, this);
    }
    clear(); // while the program keeps it, the collector need not look at it
    return true;
  }

  /** Runs the action, unless it ran already: a cleaner's {@code Cleanable.clean}. */
  @Override
  public void clean() {
    StackProbe.check();
    if (leave()) {
      Site.noteClosed(site);
      run();
    }
  }

  private void run() {
    try {
      action.run();
    } catch (Throwable t) {
      type().counters.failures.getAndIncrement();
      throw t;
    }
  }

  @Override
  public Step releaseOne(Tally tally) {
    if (leave()) {
      Forgotten.release(type(), 0, action, site, tally);
    }
    return Step.DONE;
  }

  @Override
  public boolean isDead() {
    return refersTo(null);
  }

  @Override
  public int index() {
    return state - 1;
  }

  /** Two promoters may try at once, each with a cell: {@link #tenure} says whose counts. */
  @Override
  public void index(int cell) {}
}
