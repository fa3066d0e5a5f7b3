package dev.offcut.handle;

import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * The promotion of what is open in one nursery: each handle gets a tracker of its own. Run by the
 * reaper, and by openers whose nursery is full; several may run on the same nursery, the link
 * decides.
 *
 * <p>Order for one handle: tracker into the registry → link → value moved → slot emptied. Nothing
 * leaves the table before it is in the registry, so a table that is retired while somebody claims
 * in it loses nothing; and what is not confirmed yet is not released by the net.
 *
 * <p>An opener promotes at any depth of its stack, so each call here may be its last. Between the
 * link's compare-and-set and the two stores that move the value from the record to the tracker
 * there is no call. An error before leaves the handle where it was: the tracker, or the group's
 * entry, is marked as nobody's by stores alone.
 */
final class Promotion {
  private final Registry registry;
  private final Registry.CellRange range = new Registry.CellRange();
  private int promoted;
  private int left;

  private Promotion(Registry registry) {
    this.registry = registry;
  }

  /** What {@link #of} returns when memory did not allow all promotions: to be tried again. */
  static final int NO_MEMORY = Integer.MAX_VALUE;

  /** Promotes; returns how many handles stay in the table since they are opening, or NO_MEMORY. */
  static int of(Nursery nursery) {
    Promotion promotion = null;
    try {
      promotion = new Promotion(nursery.nurseries.registry);
      promotion.run(nursery);
      return promotion.left;
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    } finally {
      end(promotion);
    }
  }

  /** Places what is waiting in the registries; what memory does not allow waits on. */
  static void placeWaiting() {
    if (Registration.isAnyWaiting()) {
      synchronized (Registration.WAITING_LIST) { // one takes out, any may push meanwhile
        while (placeNextLocked()) {
          // one more
        }
      }
    }
  }

  private static boolean placeNextLocked() {
    Registration next = Registration.WAITING_LIST.get();
    if (next == null) {
      return false;
    }
    if (!Registration.WAITING_LIST.compareAndSet(next, (Registration) next.place)) {
      return true; // another was pushed
    }
    next.place = null;
    boolean settled = false;
    try {
      boolean placed = of(next);
      if (!placed) {
        next.push();
      }
      settled = true;
      return placed;
    } finally {
      if (!settled) {
        next.place = null;
        synchronized (Unfinished.LOCK) { // by stores alone: no stack is left for a call
          if (Unfinished.count < Unfinished.MAX) {
            Unfinished.RESTS[Unfinished.count] = Registration.PUSH;
            Unfinished.ENTRIES[Unfinished.count++] = next;
          }
        }
      }
    }
  }

  /** Places one registration that waits; false if memory does not allow it. */
  static boolean of(Registration waiting) {
    Promotion promotion = null;
    try {
      promotion = new Promotion(waiting.nurseries().registry);
      promotion.tenure(waiting, null);
      return true;
    } catch (OutOfMemoryError e) {
      return false; // tried again at the next look
    } finally {
      end(promotion);
    }
  }

  private static void end(@Nullable Promotion promotion) {
    if (promotion != null) {
      promotion.registry.giveBack(promotion.range);
      promotion.registry.type.counters().promoted.getAndAdd(promotion.promoted);
    }
  }

  private void run(Nursery nursery) {
    if (nursery.isTableGone()) {
      nursery.drop();
      return;
    }
    for (int i = 0; i < nursery.capacity(); i++) {
      Slot slot = nursery.slot(i);
      Object occupant = slot == null ? null : slot.occupant();
      if (slot != null && occupant instanceof Registration registration) {
        tenure(registration, slot);
      } else if (slot != null && occupant instanceof HandleState handle) {
        promote(slot, handle);
      } else if (occupant != null) {
        left++; // claimed for a handle that is not there yet
      }
    }
  }

  /** Moves a registration to a cell, from its slot or, null, from the list of those that wait. */
  private void tenure(Registration registration, @Nullable Slot from) {
    int cell = registry.insert(registration, range);
    boolean moved = false;
    boolean settled = false;
    try {
      moved = registration.tenure(from != null, cell);
      if (!moved) {
        Segment.remove(cell, registration); // another promoter was first, or it is done
      } else if (from != null) {
        from.empty();
      }
      promoted += moved ? 1 : 0;
      settled = true;
    } finally {
      if (!settled) {
        synchronized (Unfinished.LOCK) { // by stores alone: no stack is left for a call
          if (Unfinished.count < Unfinished.MAX) {
            Unfinished.RESTS[Unfinished.count] = cell;
            Unfinished.ENTRIES[Unfinished.count++] = moved ? from : registration;
          }
        }
      }
    }
  }

  private void promote(Slot slot, HandleState handle) {
    long code = handle.code();
    if (code == 0) {
      left++; // opening
    } else {
      track(slot, handle, code);
    }
  }

  private void track(Slot slot, HandleState handle, long code) {
    Object attachment = slot.attachment();
    Site site = slot.site();
    Tracker tracker = Tracker.of(handle, registry.type, attachment, site);
    boolean settled = false;
    try {
      registry.insert(tracker, range);
      if (handle.promote(slot, tracker)) {
        tracker.value = code;
        slot.token.record[slot.index] = 0;
        if (slot.token.extras != null && slot.token.extras.attachments != null) {
          slot.token.extras.attachments[slot.index] = null;
        }
        settled = true;
        slot.vacate();
        promoted++;
      } else {
        Segment.remove(tracker); // closed meanwhile
        settled = true;
      }
    } finally {
      if (!settled) {
        synchronized (Unfinished.LOCK) { // by stores alone: no stack is left for a call
          if (Unfinished.count < Unfinished.MAX) {
            Unfinished.ENTRIES[Unfinished.count++] = tracker;
          }
        }
      }
      Reference.reachabilityFence(handle); // enqueued before it is in the registry, it is lost
    }
  }
}
