package dev.offcut.handle;

import java.util.Locale;

/** How much is recorded about each opening. The counts are exact at every level. */
public enum Detection {
  /**
   * Records no call sites, and reports no forgotten handles to listeners and Flight Recorder. The
   * net still works and counts, and it still reports failures.
   */
  OFF,
  /**
   * Counts by type, and informs listeners and Flight Recorder. This is the default. It records no
   * stack, so it adds no cost to open and close.
   */
  COUNT,
  /** Counts, and records the stack of one opening in 128. For production. */
  SAMPLE,
  /** Counts, and records the stacks of every opening and every closing. For tests. */
  FULL;

  static final String PROPERTY = "offcut.handle.detection";

  private static volatile Detection current = configured();

  /** Whether the program was started at the full level. */
  private static final boolean IS_FULL_FROM_START = current == FULL;

  static Detection current() {
    return current;
  }

  /**
   * Whether the current level records where a handle is closed. Who raises the level to tell the
   * openings of tests apart asks for no more than those.
   */
  static boolean recordsClosing(boolean isInScope) {
    return current == FULL && (!isInScope || IS_FULL_FROM_START);
  }

  static void set(Detection level) {
    current = level;
  }

  boolean recordsSites() {
    return this == SAMPLE || this == FULL;
  }

  /** The level's name as it stands in options and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the system property; an unknown word is said once on stderr and means the default. */
  static Detection configured() {
    String word = System.getProperty(PROPERTY, "count");
    for (Detection level : values()) {
      if (level.label().equalsIgnoreCase(word)) {
        return level;
      }
    }
    System.err.println(
        "offcut: -D"
            + PROPERTY
            + "="
            + word
            + " is unknown; known are off, count, sample, full;"
            + " using count");
    return COUNT;
  }
}
