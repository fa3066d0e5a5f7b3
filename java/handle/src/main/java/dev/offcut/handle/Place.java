package dev.offcut.handle;

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
   * false if the net was first, which can be only after the handle became unreachable. All or
   * nothing: an error, for want of stack, leaves the place as it was.
   */
  static boolean take(Object place, Handle handle) {
    boolean taken;
    if (place instanceof Slot slot) {
      slot.vacate();
      taken = true;
    } else if (place instanceof GroupToken token) {
      taken = token.group().take(handle.code());
      // Keeps the token reachable to here, by a volatile read: see Handle.leave. A call could
      // throw.
      if (token.group == null) {
        throw new AssertionError("a token always has its group");
      }
    } else {
      taken = Segment.remove((Tracker) place);
    }
    if (handle.link == handle) { // likewise, or the net may find it forgotten here, and count it so
      throw new AssertionError("a handle's link is never the handle");
    }
    return taken;
  }
}
