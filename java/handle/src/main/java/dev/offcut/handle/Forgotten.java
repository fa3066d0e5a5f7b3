package dev.offcut.handle;

/** A dead reference's resources, to be released by the net. */
interface Forgotten {
  /** What became of one step. */
  enum Step {
    /** Nothing is left. */
    DONE,
    /** One value was released; there may be more. */
    MORE,
    /** Not yet: to be tried again with the next batch. */
    LATER
  }

  /**
   * Takes one value and releases it. Each value is taken by one thread only, so that another can go
   * on with the rest while this one hangs in a releaser.
   */
  Step releaseOne(Tally tally);
}
