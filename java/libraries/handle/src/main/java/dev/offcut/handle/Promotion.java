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
    StackProbe.check();
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

  private static void end(@Nullable Promotion promotion) {
    if (promotion != null) {
      promotion.registry.giveBack(promotion.range);
      promotion.registry.type.counters.promoted.getAndAdd(promotion.promoted);
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
      if (slot != null && occupant instanceof Handle handle) {
        promote(slot, handle);
      } else if (occupant != null) {
        left++; // claimed for a handle that is not there yet
      }
    }
  }

  private void promote(Slot slot, Handle handle) {
    long code = handle.code();
    if (code == 0) {
      left++; // opening
    } else {
      track(slot, handle, code);
    }
  }

  private void track(Slot slot, Handle handle, long code) {
    Tracker tracker = Tracker.of(handle, registry.type, slot.attachment(), slot.site());
    try {
      registry.insert(tracker, range);
      if (handle.promote(slot, tracker)) {
        tracker.value = code;
        slot.vacate();
        promoted++;
      } else {
        Segment.remove(tracker); // closed meanwhile
      }
    } finally {
      Reference.reachabilityFence(handle); // enqueued before it is in the registry, it is lost
    }
  }
}
