package dev.offcut.handle;

import org.jspecify.annotations.Nullable;

/** A dead reference's resources, to be released by the net. */
interface Forgotten {
  /** What became of one step. */
  enum Step {
    /** Nothing is left. */
    DONE,
    /** One value was released; there may be more. */
    MORE,
    /** Not yet: to be tried again when the queue is empty. */
    LATER
  }

  /**
   * Takes one value and releases it. Each value is taken by one thread only, so that another can go
   * on with the rest while this one hangs in a releaser.
   */
  Step releaseOne(Tally tally);

  /**
   * Releases what was forgotten, on a thread of the net. Nothing that a releaser throws gets out.
   */
  static void release(
      HandleType type,
      long code,
      @Nullable Object attachment,
      @Nullable Site site,
      @Nullable Tally tally) {
    if (tally != null) {
      tally.begin(type);
    }
    try {
      try {
        type.release(code, attachment);
      } finally {
        if (attachment != null) {
          Family.leave(attachment);
        }
      }
    } catch (Throwable t) {
      Listeners.reportFailure(type, t);
    }
    type.counters.forgotten(site);
    if (tally != null) {
      tally.end();
      tally.add(type, site);
    }
  }
}
