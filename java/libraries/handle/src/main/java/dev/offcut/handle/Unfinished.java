package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/**
 * What threads could not finish since their stack ended. A releasing thread, with a stack of its
 * own, finishes it at its next turn: within a second.
 *
 * <p>Entries: a handle with a use to end, the attachment of a closed child, a tracker that its
 * promoter or its last child left, the slot of a registration that has left it, a registration with
 * the rest to do.
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

  /** By entry: what is left to do for a registration, see {@code Registration.finish}. */
  static final int[] RESTS = new int[MAX];

  static volatile int count;

  private Unfinished() {}

  static boolean isAny() {
    return count > 0;
  }

  /** Visits what is left to finish, one entry at a time. */
  interface Finisher {
    void finish(Object entry, int rest);
  }

  /** Shows {@code finisher} all there is, which it takes out. */
  static void finish(Finisher finisher) {
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
      if (entry != null) {
        finisher.finish(entry, rest);
      }
    }
  }
}
