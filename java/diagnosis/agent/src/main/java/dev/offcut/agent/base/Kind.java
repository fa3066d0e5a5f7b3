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

  /** What the program allocates by calling C's malloc and the like through {@code Linker}. */
  public static final int DOWNCALL = 8;

  /** What it allocates by JNA's {@code Native.malloc}. */
  public static final int JNA_MALLOC = 9;

  /** How many there are. As many more are those of {@code Probes}. */
  public static final int COUNT = 10;

  /** What the name of such a kind ends with. */
  public static final String FILLED_NAME = ".filled";

  /**
   * Added to a kind of arenas: the call sites that fill arenas whose opening left no stack. Above
   * all kinds, those of closeables included.
   */
  public static final int FILLED = 1 << 16;

  private static final String[] NAMES = {
    "arena.confined",
    "arena.shared",
    "arena.automatic",
    "buffer.direct",
    "unsafe",
    "jna",
    "cleaner",
    "finalizer",
    "malloc.downcall",
    "malloc.jna"
  };

  private Kind() {}

  /**
   * Whether it is memory of which the program has only the address, so that no collector finds it.
   */
  public static boolean isAddress(int kind) {
    return kind == UNSAFE || kind == DOWNCALL || kind == JNA_MALLOC;
  }

  /** All names, in the order of their numbers. */
  public static String[] names() {
    return NAMES.clone();
  }

  /** Its name in recordings and reports. */
  public static String name(int kind) {
    return (kind & FILLED) != 0 ? NAMES[kind & ~FILLED] + FILLED_NAME : NAMES[kind];
  }
}
