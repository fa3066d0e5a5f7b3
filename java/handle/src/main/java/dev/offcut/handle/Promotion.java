package dev.offcut.handle;

import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * The promotion of what is open in one nursery: each handle gets a tracker of its own, or joins a
 * group. Run by the reaper, and by openers whose nursery is full; several may run on the same
 * nursery, the link decides.
 *
 * <p>Order for one handle: tracker into the registry → link → slot emptied → tracker confirmed.
 * Nothing leaves the table before it is in the registry, so a table that is retired while somebody
 * claims in it loses nothing; and what is not confirmed yet is not released by the net.
 */
final class Promotion {
  private final HandleType type;
  private final Registry.Run run = new Registry.Run();
  private @Nullable Group group;
  private int promoted;
  private int left;

  private Promotion(HandleType type) {
    this.type = type;
  }

  /** What {@link #of} returns when memory did not allow all promotions: to be tried again. */
  static final int NO_MEMORY = Integer.MAX_VALUE;

  /** Promotes; returns how many handles stay in the table since they are opening, or NO_MEMORY. */
  static int of(Nursery nursery) {
    Promotion promotion = null;
    try {
      promotion = new Promotion(nursery.type);
      promotion.run(nursery);
      return promotion.left;
    } catch (OutOfMemoryError e) {
      return NO_MEMORY;
    } finally {
      end(promotion);
    }
  }

  /** Places one registration that waits; if memory does not allow it, it waits on. */
  static void of(Registration waiting) {
    Promotion promotion = null;
    boolean placed = false;
    try {
      promotion = new Promotion(waiting.type());
      waiting.placed(promotion.type.registry().insert(waiting, promotion.run));
      placed = true;
      promotion.promoted++;
    } catch (OutOfMemoryError e) {
      // tried again at the next look
    } finally {
      if (!placed) {
        waiting.waitOn();
      }
      end(promotion);
    }
  }

  private static void end(@Nullable Promotion promotion) {
    if (promotion != null) {
      promotion.seal();
      promotion.type.registry().giveBack(promotion.run);
      promotion.type.counters().promoted.getAndAdd(promotion.promoted);
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
        int cell = type.registry().insert(registration, run);
        promoted += registration.tenure(slot, cell) ? 1 : 0;
      } else if (slot != null && occupant instanceof Handle handle) {
        promote(slot, handle);
      }
    }
  }

  private void promote(Slot slot, Handle handle) {
    long code = handle.code();
    if (code == 0) {
      left++; // opening
    } else if (type.groupSize() > 1 && !isSited(slot)) {
      join(slot, handle, code);
    } else {
      track(slot, handle, code);
    }
  }

  private void track(Slot slot, Handle handle, long code) {
    Object attachment = Place.attachment(slot);
    Site site = Place.site(slot);
    try {
      Tracker tracker = Tracker.of(handle, type, attachment, site);
      type.registry().insert(tracker, run);
      if (handle.promote(slot, tracker)) {
        slot.vacate();
        tracker.confirm(code);
        promoted++;
      } else {
        Segment.remove(tracker); // closed meanwhile
      }
    } finally {
      Reference.reachabilityFence(handle); // enqueued before it is in the registry, it is lost
    }
  }

  private void join(Slot slot, Handle handle, long code) {
    Group into = group;
    if (into == null || into.isFull()) {
      seal();
      into = new GroupToken(type).group();
      type.registry().insert(into, run);
      group = into;
    }
    into.add(code);
    if (handle.promote(slot, into.held())) {
      slot.vacate();
      promoted++;
    } else {
      into.undoAdd();
    }
  }

  /** A group has no room for sites: what has one is promoted alone. */
  private static boolean isSited(Slot slot) {
    return Place.site(slot) != null;
  }

  private void seal() {
    if (group != null) {
      group.seal();
      group = null;
    }
  }

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new OutOfMemoryError());
    } catch (OutOfMemoryError e) {
      // seen once
    }
  }
}
