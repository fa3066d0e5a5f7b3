package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/** What must hold of nurseries and registries at rest. */
final class Invariants {
  private Invariants() {}

  /** Throws at the first nursery or segment of which something does not hold. */
  static void check() {
    NurseryList.visit(Invariants::check);
    for (Nurseries nurseries : NurseryList.types()) {
      check(nurseries.registry);
    }
  }

  static void check(Registry registry) {
    for (Segment segment : registry.all()) {
      if (segment != null) {
        check(segment);
      }
    }
  }

  static void check(Segment segment) {
    int filled = 0;
    for (int i = 0; i < Settings.SEGMENT_CELLS; i++) {
      filled += segment.isFree(i) ? 0 : 1;
    }
    require(filled == segment.live(), segment.registry.type, filled + " cells are filled");
  }

  private static void check(Nursery nursery) {
    for (int i = 0; !nursery.isTableGone() && i < nursery.capacity(); i++) {
      Slot slot = nursery.slot(i);
      Object occupant = slot == null ? null : slot.occupant();
      if (occupant instanceof Handle handle) {
        checkPlace(handle, handle.link);
      } else {
        require(nursery.record[i] == 0, nursery.type, "slot " + i + " is free and has a value");
      }
    }
  }

  private static void checkPlace(Handle handle, @Nullable Object place) {
    if (place instanceof Slot slot) {
      Object occupant = slot.occupant();
      require(occupant == handle || occupant == null, handle, "its slot holds " + occupant);
    } else if (place instanceof Tracker tracker) {
      boolean isThere = Segment.at(tracker.index()) == tracker;
      require(isThere, handle, "its tracker is not in the registry");
    }
  }

  private static void require(boolean holds, Object of, String what) {
    if (!holds) {
      throw new AssertionError(of + ": " + what);
    }
  }
}
