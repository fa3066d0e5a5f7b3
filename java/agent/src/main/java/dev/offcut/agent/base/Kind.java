package dev.offcut.agent.base;

/** What is tracked, by number: its name in recordings is the one of the same number. */
public final class Kind {
  public static final int CONFINED = 0;
  public static final int SHARED = 1;
  public static final int AUTOMATIC = 2;
  public static final int BUFFER = 3;
  public static final int UNSAFE = 4;
  public static final int JNA = 5;
  public static final int CLEANER = 6;
  public static final int FINALIZER = 7;

  /** How many there are. As many more are those of {@code Probes}. */
  public static final int COUNT = 8;

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

  /** Its name in recordings and reports. */
  public static String name(int kind) {
    return NAMES[kind];
  }
}
