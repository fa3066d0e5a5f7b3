package dev.offcut.agent.track;

/** What is tracked, by number: its name in recordings is the one of the same number. */
final class Kind {
  static final int CONFINED = 0;
  static final int SHARED = 1;
  static final int AUTOMATIC = 2;
  static final int BUFFER = 3;
  static final int UNSAFE = 4;
  static final int JNA = 5;
  static final int CLEANER = 6;
  static final int FINALIZER = 7;

  /** How many there are. As many more are those of {@link Probes}. */
  static final int COUNT = 8;

  private static final String[] NAMES = {
    "arena.confined",
    "arena.shared",
    "arena.automatic",
    "buffer.direct",
    "unsafe",
    "jna",
    "cleaner",
    "finalizer"
  };

  private Kind() {}

  static String name(int kind) {
    return NAMES[kind];
  }
}
