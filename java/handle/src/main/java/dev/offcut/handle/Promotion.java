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

  /**
   * Promotes one registration of a cleaner. If memory does not allow it, it stays where it is; in a
   * table that is dropped its action then follows the group rule.
   */
  static void of(HandleType type, Slot slot, Handle registration, Object referent) {
    Promotion promotion = null;
    try {
      promotion = new Promotion(type);
      promotion.track(slot, registration, referent, registration.code());
    } catch (OutOfMemoryError e) {
      // left to the reaper
    } finally {
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
      Handle handle = slot == null ? null : slot.handle();
      if (slot == null || handle == null) {
        continue;
      }
      Object referent = nursery.referent(handle, i);
      long code = handle.code();
      if (code == 0 || referent == null) {
        left++; // opening
      } else if (type.groupSize() > 1 && !isSited(slot)) {
        join(slot, handle, code);
      } else {
        track(slot, handle, referent, code);
      }
    }
  }

  private void track(Slot slot, Handle handle, Object referent, long code) {
    Object attachment = Place.attachment(slot);
    Site site = Place.site(slot);
    try {
      Tracker tracker = Tracker.of(referent, type, attachment, site);
      type.registry().insert(tracker, run);
      if (handle.promote(slot, tracker)) {
        slot.vacate();
        tracker.confirm(code);
        promoted++;
      } else {
        Segment.remove(tracker); // closed meanwhile
      }
    } finally {
      Reference.reachabilityFence(referent); // enqueued before it is in the registry, it is lost
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
