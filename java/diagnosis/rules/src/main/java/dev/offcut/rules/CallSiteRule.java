package dev.offcut.rules;

/**
 * Chooses the line of a stack that a person would mend: the program's own, which took a resource of
 * a library. It is given the frames one after the other, innermost first, and says when no other is
 * needed. The rule, in this order:
 *
 * <ol>
 *   <li>Left out are frames of the JDK and of Offcut, native frames, and in front of all others the
 *       constructors of what was opened.
 *   <li>The innermost frame of {@linkplain Program the program} that is in no known library.
 *   <li>The innermost that is the program's by its code source. A list of known libraries may name
 *       the program's own package.
 *   <li>The innermost that is neither in a known library nor from where the opened class is from.
 *   <li>The innermost that is not from where the opened class is from.
 *   <li>The innermost.
 * </ol>
 *
 * <p>So a list of known libraries only breaks ties. Classes are known by where they were loaded
 * from, their code source: a jar, a jar within a jar, a folder, a module.
 *
 * <p>One stack; one thread. The agent has a copy of this class in java.base.
 */
public final class CallSiteRule {
  /** The code source of the JDK and of Offcut. */
  public static final int NOBODY = 0;

  /** The frame is of native code. */
  public static final int NATIVE = 1;

  /** The class is in a package of a known library. */
  public static final int LIBRARY = 1 << 1;

  /** The class is from where classes of the program are, and no others. */
  public static final int OWN = 1 << 2;

  /** The class is from where the main class is from, as libraries may be, too. */
  public static final int MAIN = 1 << 3;

  /** The package of the class begins like the main class's. */
  public static final int NAMED = 1 << 4;

  /** The frame is a constructor. */
  public static final int CONSTRUCTOR = 1 << 5;

  /** The frame is a constructor that has called the constructor of the frame further in. */
  public static final int SUBCLASS = 1 << 6;

  /**
   * In the place of a frame, before the last one, where no frame is the program's: the last one is
   * the line of the program that started the thread.
   */
  public static final String STARTED = "java.lang.Thread.start(this thread)";

  private static final int NONE = -1;

  /** Where the opened class is from. */
  private final int opened;

  /** Where the innermost frame is from that is not the JDK's. */
  private int taker = NOBODY;

  private int count;
  private boolean isConstructing = true;

  private int constructor = NONE;
  private int first = NONE;
  private int outside = NONE;
  private int unknown = NONE;
  private int ownLibrary = NONE;
  private int own = NONE;

  /**
   * A stack without frames.
   *
   * @param opened the number of the code source of the class whose object was opened
   */
  public CallSiteRule(int opened) {
    this.opened = opened;
  }

  /**
   * Adds the next frame further out.
   *
   * @param source the number of its class's code source
   * @param traits what is known of it
   * @return whether the line is known, so that frames further out do not matter
   */
  public boolean add(int source, int traits) {
    int at = count++;
    if (source == NOBODY || (traits & NATIVE) != 0) {
      return false;
    }
    if (taker == NOBODY) {
      taker = source;
    }
    if (isConstructing && isOfOpened(source, traits)) {
      constructor = constructor == NONE ? at : constructor;
      return false;
    }
    isConstructing = false;
    first = first == NONE ? at : first;
    boolean isLibrary = (traits & LIBRARY) != 0;
    boolean isOwn = isFromProgram(source, traits);
    if (!isLibrary && (isOwn || (traits & NAMED) != 0)) {
      own = at;
      return true;
    }
    if (isOwn && ownLibrary == NONE) {
      ownLibrary = at;
    }
    if (source != opened) {
      outside = outside == NONE ? at : outside;
      unknown = unknown == NONE && !isLibrary ? at : unknown;
    }
    return false;
  }

  private boolean isOfOpened(int source, int traits) {
    return (traits & SUBCLASS) != 0 || ((traits & CONSTRUCTOR) != 0 && source == opened);
  }

  /**
   * By its code source alone. If the innermost frame is from where the main class is from, too,
   * only names tell a library that is packed there from the program.
   */
  private boolean isFromProgram(int source, int traits) {
    return (traits & OWN) != 0 || ((traits & MAIN) != 0 && source != taker);
  }

  /** The index of the frame to mend among the frames so far; -1 if all are the JDK's. */
  public int line() {
    int[] best = {own, ownLibrary, unknown, outside, first, constructor};
    for (int at : best) {
      if (at != NONE) {
        return at;
      }
    }
    return NONE;
  }
}
