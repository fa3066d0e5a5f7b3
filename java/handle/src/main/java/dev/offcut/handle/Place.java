package dev.offcut.handle;

import java.lang.ref.Reference;
import org.jspecify.annotations.Nullable;

/**
 * What the link of an open handle names: a slot, a tracker, or a group's token. The one who moved
 * the link away empties the place.
 */
final class Place {
  private Place() {}

  static boolean isClosed(@Nullable Object link) {
    return link == null || link instanceof ClosedMark;
  }

  /** The family of a child. */
  static @Nullable Object attachment(Object place) {
    if (place instanceof Slot slot) {
      return slot.token.extras == null ? null : slot.token.extras.attachment(slot.index);
    }
    return place instanceof Tracker tracker ? tracker.attachment() : null;
  }

  static @Nullable Site site(Object place) {
    if (place instanceof Slot slot) {
      return slot.token.extras == null ? null : slot.token.extras.site(slot.index);
    }
    return place instanceof Tracker tracker ? tracker.site() : null;
  }

  /**
   * Empties the place that {@code handle}'s link named; true if its resource is the caller's now,
   * false if the net was first, which can be only after the handle became unreachable.
   */
  static boolean take(Object place, Handle handle) {
    try {
      if (place instanceof Slot slot) {
        slot.vacate();
        return true;
      }
      return place instanceof GroupToken token
          ? token.group().take(handle.code())
          : Segment.remove((Tracker) place);
    } finally {
      if (place instanceof GroupToken token) {
        token.touch();
      }
      Reference.reachabilityFence(
          handle); // else the net may find it forgotten here, and count it so
    }
  }
}
