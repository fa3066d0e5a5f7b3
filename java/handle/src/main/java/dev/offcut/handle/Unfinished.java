package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/**
 * What threads could not finish since their stack ended. A releasing thread, with a stack of its
 * own, finishes it at its next turn: within a second.
 *
 * <p>Entries: a {@link GuardedHandle} with a use to end, the attachment of a closed child, a {@link
 * Tracker} that its promoter or its last child left, the {@link Slot} of a registration that has
 * left it, a {@link Registration} with the rest to do.
 *
 * <p>A thread at the end of its stack can call nothing. Those who add do so by stores in their own
 * frame: a monitor needs no frame, and the JVM releases it however the frame is left.
 */
final class Unfinished {
  /**
   * Between two turns. What does not fit is lost: a parent or an action that waits, a cell that
   * stays.
   */
  static final int MAX = 4096;

  static final Object LOCK = new Object();

  // Guarded by LOCK.
  static final @Nullable Object[] ENTRIES = new Object[MAX];

  /** By entry: what is left to do for a registration, see {@link Registration#finish}. */
  static final int[] RESTS = new int[MAX];

  static volatile int count;

  private Unfinished() {}

  static boolean isAny() {
    return count > 0;
  }

  /** Finishes all there is. What a releaser throws is reported. */
  static void finish(Tally tally) {
    while (true) {
      Object entry;
      int rest;
      synchronized (LOCK) {
        int last = count - 1;
        if (last < 0) {
          return;
        }
        entry = ENTRIES[last];
        rest = RESTS[last];
        ENTRIES[last] = null;
        count = last;
      }
      finish(entry, rest, tally);
    }
  }

  private static void finish(@Nullable Object entry, int rest, Tally tally) {
    try {
      if (entry instanceof Tracker tracker) {
        tracker.settle(tally);
      } else if (entry instanceof GuardedHandle handle) {
        handle.endUse();
      } else if (entry instanceof Registration registration) {
        registration.finish(rest);
      } else if (entry instanceof Slot slot) {
        slot.empty();
      } else {
        Family.leave(entry);
      }
    } catch (Throwable t) {
      Handles.reportFailure(typeOf(entry), t);
    }
  }

  private static @Nullable HandleType typeOf(@Nullable Object entry) {
    return entry instanceof Handle handle
        ? handle.type()
        : entry instanceof Registration registration ? registration.type() : null;
  }

  /** Resolves what this class catches: the first time needs memory, see {@link Warmup}. */
  @SuppressWarnings("EmptyCatch")
  static void warm() {
    try {
      Warmup.raise(new Throwable());
    } catch (Throwable t) {
      // seen once
    }
  }
}
