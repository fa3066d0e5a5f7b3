package dev.offcut.handle;

import dev.offcut.handle.NurseryToken.Extras;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The young handles of one type and one thread (or, shared, of several).
 *
 * <pre>
 *   directory ──▶ nursery ──soft──▶ table: slot slot slot …  ──▶ handles
 *                    │                      │
 *                    │ phantom              ▼
 *                    ├───────────────────▶ token ◀── (link, slot) ── living handles
 *                    └──▶ record: value value 0 …
 *
 *   ACTIVE ──rotation: owner = null──▶ RETIRED ──promoted, seen empty twice──▶ DROPPED ──token dead──▶ done
 *      └────────── memory pressure: the collector clears the table ────────────▶ DROPPED
 * </pre>
 *
 * In ACTIVE the owner claims slots; the reaper may retire at any time. In RETIRED promoters empty
 * it. In DROPPED only the record is left, and the values of handles that a late claim or memory
 * pressure left here are released together, once the last of them is gone: the group rule.
 *
 * <p>{@link NurseryList} refers to the nursery in all three states, since a PhantomReference must
 * be reachable to be enqueued.
 */
final class Nursery extends PhantomReference<Object> implements Forgotten {
  private static final VarHandle CURSOR;
  private static final VarHandle SKIPS;
  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Slot[].class);

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CURSOR = lookup.findVarHandle(Nursery.class, "cursor", long.class);
      SKIPS = lookup.findVarHandle(Nursery.class, "skips", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The owner of a shared nursery: no thread. */
  static final Object SHARED = new Object();

  final HandleType type;

  final Nurseries nurseries;

  final long since = System.nanoTime();
  private final Detection level;
  private final boolean recordsSites;
  private final int capacity;
  final long[] record;
  private final @Nullable Extras extras;
  private final SoftReference<@Nullable Slot[]> table;

  /**
   * The table before the first claim, when it is not the collector's to clear, or in a full heap an
   * opener would make one after the other.
   */
  @SuppressWarnings("UnusedVariable") // to be reachable
  private @Nullable Slot @Nullable [] pinned;

  /** Thread, SHARED, or null once retired: by the reaper, or by the owner that moves on. */
  volatile @Nullable Object owner;

  private long cursor;

  @SuppressWarnings("UnusedVariable") // read through SKIPS
  private long skips;

  private int scanned;

  // The reaper's, under its lock.
  long seenCursor;
  int looks;

  private Nursery(
      Nurseries nurseries,
      Object owner,
      NurseryToken token,
      @Nullable Slot[] slots,
      Detection level) {
    super(token, nurseries.type.loop.references());
    this.nurseries = nurseries;
    this.type = nurseries.type;
    this.level = level;
    this.recordsSites = level.recordsSites();
    this.record = token.record;
    this.extras = token.extras;
    this.capacity = slots.length;
    this.table = new SoftReference<>(slots);
    this.pinned = slots;
    this.owner = owner;
  }

  /**
   * A fresh nursery, known to the reaper before it can be found: nothing opened in it may be
   * missed. {@code slots} is a power of two. The first slot keeps the token reachable.
   */
  static Nursery create(Nurseries nurseries, Object owner, int slots) {
    HandleType type = nurseries.type;
    Detection level = Detection.current();
    boolean attached = type.hasAttachments();
    boolean sited = level.recordsSites();
    Extras extras = attached || sited ? new Extras(slots, attached, sited) : null;
    NurseryToken token = new NurseryToken(slots, extras);
    @Nullable Slot[] table = new Slot[slots];
    table[0] = new Slot(token, 0);
    try {
      Nursery created = new Nursery(nurseries, owner, token, table, level);
      NurseryList.arrive(created);
      return created;
    } finally {
      Reference.reachabilityFence(table); // until here only a soft reference would hold it
    }
  }

  /** Whether too little was claimed here to need a larger table. */
  boolean hasFewClaims() {
    return claims() < Settings.FEW_CLAIMS;
  }

  /** Whether the handles are out of sight: the group rule holds. */
  boolean isTableGone() {
    return table.get() == null;
  }

  /**
   * The next slot, if it is free and its opening needs no site. For the owner alone: cursor is its
   * own, plain. The slot is taken once the handle is published in it.
   */
  @Nullable Slot claimNext() {
    @Nullable Slot[] slots = table.get();
    long at = cursor;
    if (slots == null || recordsSites) {
      return null;
    }
    Slot slot = slots[(int) at & (capacity - 1)]; // its length, which is not waited for
    if (slot == null || slot.occupant() != null) {
      return null;
    }
    cursor = at + 1;
    return slot;
  }

  /**
   * As {@link #claimNext}, making slots, recording sites and passing over the taken; null when
   * full.
   */
  @Nullable Slot claimSlowly() {
    Site site = Site.sampled(type, level);
    for (int probe = 0; probe < Settings.PROBES; probe++) {
      int index = (int) cursor & (capacity - 1);
      Slot slot = slotAt(index);
      if (slot == null) {
        return null;
      }
      cursor++;
      if (slot.occupant() == null) {
        note(site, slot);
        pinned = null;
        return slot;
      }
      skips++;
      slot.keepToken(); // as in claimNextShared
    }
    return null;
  }

  /**
   * A slot of a shared nursery, taken by compare-and-set with {@code claimed} in it; null when
   * full.
   */
  @Nullable Slot claimShared(Object claimed) {
    for (int probe = 0; probe < Settings.PROBES && !isTableGone(); probe++) {
      Slot slot = claimNextShared(claimed);
      if (slot != null) {
        return slot;
      }
    }
    return null;
  }

  /**
   * The first slot keeps the token reachable until cursor and skips agree again: were the nursery
   * done in between, its claims would be counted for good with one that came to nothing.
   */
  private @Nullable Slot claimNextShared(Object claimed) {
    Slot first = slot(0);
    if (first == null) {
      return null; // the table is gone
    }
    Site site = Site.sampled(type, level);
    long at = (long) CURSOR.getAndAdd(this, 1L);
    Slot taken = null;
    try {
      Slot slot = slotAt((int) at & (capacity - 1));
      if (slot != null && slot.occupant() == null && slot.claimShared(claimed)) {
        note(site, slot);
        pinned = null;
        taken = slot;
      }
      return taken;
    } finally {
      if (taken == null) {
        SKIPS.getAndAdd(this, 1L); // nor is a claim what memory did not allow
      }
      first.keepToken();
    }
  }

  private void note(@Nullable Site site, Slot slot) {
    if (extras != null && site != null) {
      extras.site(slot.index, site);
    }
  }

  /**
   * The slot, made at its first use; null once the table is gone. Release and acquire: promoters
   * meet it complete.
   */
  private @Nullable Slot slotAt(int index) {
    Slot slot = slot(index);
    if (slot != null) {
      return slot;
    }
    Slot first = slot(0);
    if (first == null) {
      return null;
    }
    Slot made = new Slot(first.token, index); // the table is not referred to here: see slot
    @Nullable Slot[] slots = table.get();
    if (slots == null) {
      return null;
    }
    Slot other = (Slot) SLOTS.compareAndExchange(slots, index, null, made);
    return other == null ? made : other;
  }

  /**
   * The slot, or null if it was never used or the table is gone. The table is looked up for each:
   * what a frame refers to the collector cannot clear, and a thread that walked a table of which it
   * kept hold would keep all that the handles in it reach, to an {@link OutOfMemoryError}.
   */
  @Nullable Slot slot(int index) {
    @Nullable Slot[] slots = table.get();
    return slots == null ? null : (Slot) SLOTS.getAcquire(slots, index); // pairs with slotAt
  }

  int capacity() {
    return capacity;
  }

  /** Drops the table; from here on the group rule holds. */
  void drop() {
    table.clear();
    pinned = null;
  }

  /** Claims so far; out of date by the time it is used, unless at rest. */
  long claims() {
    return (long) CURSOR.getOpaque(this) - (long) SKIPS.getOpaque(this);
  }

  long cursorSeen() {
    return (long) CURSOR.getOpaque(this); // opaque: a hint for the reaper
  }

  /** Open handles: by the table, or after the table is gone by the record. */
  int open() {
    int open = 0;
    for (int i = 0; i < capacity; i++) {
      Slot slot = slot(i);
      if (slot != null) {
        open += slot.occupant() == null ? 0 : 1;
      } else if (isTableGone()) {
        open += record[i] == 0 ? 0 : 1; // plain: a count, not an order
      }
    }
    return open;
  }

  /** Shows the recorded sites of the open handles; none once the table is gone. */
  void visitOpenSites(Consumer<Site> visitor) {
    for (int i = 0; i < capacity; i++) {
      Slot slot = slot(i);
      Site site = slot == null || slot.occupant() == null ? null : slot.site();
      if (site != null) {
        visitor.accept(site);
      }
    }
  }

  boolean isOwnerDead() {
    return owner instanceof Thread thread && !thread.isAlive();
  }

  /** The token is dead: releases one value that was left in the record. */
  @Override
  public Step releaseOne(Tally tally) {
    for (int i = scanned; i < record.length; i++) {
      scanned = i; // a hint only: the compare-and-sets below decide
      if (release(i, tally)) {
        return Step.MORE;
      }
    }
    NurseryList.remove(this);
    return Step.DONE;
  }

  private boolean release(int index, Tally tally) {
    if (extras != null && extras.isAttaching()) {
      return releaseAttached(index, extras, tally);
    }
    long code;
    synchronized (this) { // another thread of the net may go on here, if one hangs in a releaser
      code = record[index];
      record[index] = 0;
    }
    if (code == 0) {
      return false;
    }
    Forgotten.release(type, code, null, extras == null ? null : extras.site(index), tally);
    return true;
  }

  /** Who takes the attachment owns the value too; none means an opening that came to nothing. */
  private boolean releaseAttached(int index, Extras of, Tally tally) {
    Object attachment = of.attachment(index);
    if (attachment == null || !of.takeAttachment(index, attachment)) {
      return false;
    }
    long code = record[index]; // plain: the collector, or whoever had the attachment, comes before
    record[index] = 0;
    if (code != 0) {
      Forgotten.release(type, code, attachment, of.site(index), tally);
    } else {
      abandon(attachment, of.site(index));
    }
    return true;
  }

  private void abandon(Object attachment, @Nullable Site site) {
    try {
      type.abandoned(site);
      Family.leave(attachment);
    } catch (Throwable t) {
      Listeners.reportFailure(type, t); // the releaser of a parent that waited for this child
    }
  }
}
