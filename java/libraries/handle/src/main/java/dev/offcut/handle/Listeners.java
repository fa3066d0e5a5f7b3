package dev.offcut.handle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells recordings and the program's listeners what the net found. */
final class Listeners {
  /** Replaced as a whole, under the class's monitor. */
  private static volatile List<HandleListener> listeners = List.of();

  private Listeners() {}

  static synchronized void add(HandleListener listener) {
    List<HandleListener> more = without(listener);
    more.add(listener);
    listeners = List.copyOf(more);
  }

  static synchronized void remove(HandleListener listener) {
    listeners = List.copyOf(without(listener));
  }

  static synchronized void removeAll() {
    listeners = List.of();
  }

  private static List<HandleListener> without(HandleListener listener) {
    List<HandleListener> others = new ArrayList<>(listeners);
    others.removeIf(other -> other == listener);
    return others;
  }

  /**
   * Tells recording and listeners; the failure of one keeps nothing from the others. Never throws.
   */
  @SuppressWarnings("EmptyCatch") // the counts are exact all the same
  static void reportForgotten(HandleType type, @Nullable Site site, long count) {
    if (Detection.current() == Detection.OFF) {
      return;
    }
    try {
      Events.forgotten(type, site, count);
    } catch (Throwable t) {
      // a heap too full for an event
    }
    List<HandleListener> all = listeners; // by index: an iterator would need memory
    for (int i = 0; i < all.size(); i++) {
      try {
        all.get(i).forgotten(type.name, count, site == null ? List.of() : site.frames);
      } catch (Throwable t) {
        // the listener's
      }
    }
  }

  /**
   * A releaser threw on a releasing thread, or (null) the net itself failed there. Never throws.
   */
  @SuppressWarnings("EmptyCatch")
  static void reportFailure(@Nullable HandleType type, Throwable failure) {
    String name = type == null ? "offcut" : type.name;
    Events.releaseFailed(name, failure);
    List<HandleListener> all = listeners;
    for (int i = 0; i < all.size(); i++) {
      try {
        all.get(i).releaseFailed(name, failure);
      } catch (Throwable t) {
        // the listener's
      }
    }
  }

  /** A releaser has not returned for too long. Never throws. */
  @SuppressWarnings("EmptyCatch")
  static void reportHung(HandleType type) {
    List<HandleListener> all = listeners;
    for (int i = 0; i < all.size(); i++) {
      try {
        all.get(i).releaserHung(type.name, Duration.ofNanos(Settings.HANG_NANOS));
      } catch (Throwable t) {
        // the listener's
      }
    }
  }
}
