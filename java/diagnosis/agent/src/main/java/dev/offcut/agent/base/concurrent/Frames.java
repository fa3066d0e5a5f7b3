package dev.offcut.agent.base.concurrent;

import dev.offcut.rules.CallSiteRule;
import org.jspecify.annotations.Nullable;

/**
 * The frames of the stack where this object is made, one after the other, innermost first, those of
 * the agent's helpers among them.
 *
 * <p>HotSpot keeps a stack as arrays of 32 frames, each with a link to the next: for each frame the
 * number of its method in its class, where in the method, and the class. That is enough to choose
 * the line and to tell two stacks from each other, and is there in half a microsecond for twenty
 * frames; to ask for their names takes three, and a walk of {@link StackWalker} four. Whether the
 * arrays and their link are as known is looked at once; if not, frames are asked for names, and
 * classes are known by name only.
 */
final class Frames {
  private static final Stock.Fields FIELDS = Stock.Fields.getUnsafe();

  /** Where a stack keeps its arrays; -1: they are not as known. */
  private static final long ARRAYS = arrays();

  /** More frames than the first arrays have. */
  private static final int DEEP = 40;

  /** Which of a stack's arrays is the link to the next; -1: it is not known. */
  private static final int LINK = ARRAYS < 0 ? -1 : link(DEEP);

  private static final Origin NONE = Origin.named("");

  private final Throwable taken = new Throwable();

  /** The arrays that are looked at, and where in them; null: the frames with their names are. */
  private Object @Nullable [] arrays;

  private StackTraceElement @Nullable [] elements;

  private int place;

  /** The class of the frame that is looked at; null if only the name is known. */
  @Nullable Class<?> type;

  private String name = "";

  /** The method in the class, and where in the method. */
  int method;

  int within;

  /** Where the class is from. */
  Origin origin = NONE;

  private boolean isCut;

  private static Object @Nullable [] arrays(Throwable stack, long where) {
    return (Object[]) FIELDS.getReference(stack, where);
  }

  /** Looks at the stack of a call in the initializer of this class. */
  private static long arrays() {
    try {
      long where = FIELDS.objectFieldOffset(Throwable.class, "backtrace");
      Object[] arrays = arrays(new Throwable(), where);
      return arrays != null && beginWith(arrays, 2) ? where : -1;
    } catch (Throwable e) {
      return -1; // another JVM
    }
  }

  /**
   * Whether the arrays have the known types, and exactly their first frames are this class's. To
   * ask the stack for its names would take milliseconds at the start of each program.
   */
  private static boolean beginWith(Object[] arrays, int frames) {
    if (!(arrays[0] instanceof short[]) || !(arrays[1] instanceof int[])) {
      return false;
    }
    Object[] mirrors = (Object[]) arrays[2];
    for (int i = 0; i < mirrors.length && i <= frames; i++) {
      if (!(mirrors[i] instanceof Class<?> type) || (type == Frames.class) != (i < frames)) {
        return false;
      }
    }
    return true;
  }

  /** Looks at a stack that is deep enough where its arrays go on. */
  private static int link(int deeper) {
    if (deeper > 0) {
      return link(deeper - 1);
    }
    try {
      Object[] arrays = arrays(new Throwable(), ARRAYS);
      int frames = DEEP + 2; // with the first call, and the initializer
      if (arrays == null || !beginWith(arrays, frames)) {
        return -1;
      }
      int left = frames - ((Object[]) arrays[2]).length;
      for (int i = 3; i < arrays.length; i++) {
        if (arrays[i] instanceof Object[] next
            && next.length == arrays.length
            && left > 0
            && beginWith(next, left)) {
          return i;
        }
      }
    } catch (Throwable e) {
      // another JVM
    }
    return -1;
  }

  /** Goes before the innermost frame; false: it is not known where the frames are. */
  boolean begin() {
    place = -1;
    arrays = elements != null || ARRAYS < 0 ? null : arrays(taken, ARRAYS);
    return elements != null || arrays != null;
  }

  /** Goes on by names alone, from the innermost frame. */
  void beginWithNames() {
    elements = named();
    isCut = false;
    begin();
  }

  /** All frames with their names, which takes long. */
  StackTraceElement[] named() {
    return taken.getStackTrace();
  }

  /** Whether there are more frames, and it is not known where. */
  boolean isCut() {
    return isCut;
  }

  /** Goes to the next frame further out; false: there is none. */
  boolean next() {
    place++;
    return elements == null ? nextOfArrays() : nextOf(elements);
  }

  private boolean nextOfArrays() {
    Object[] all = arrays;
    if (all == null) {
      return false;
    }
    Object[] mirrors = (Object[]) all[2];
    if (place == mirrors.length) {
      isCut = LINK < 0;
      if (isCut || !(all[LINK] instanceof Object[] more)) {
        return false;
      }
      arrays = more;
      all = more;
      mirrors = (Object[]) all[2];
      place = 0;
    }
    if (!(mirrors[place] instanceof Class<?> its)) {
      return false;
    }
    if (its != type) { // methods often call others of their class
      type = its;
      origin = Origin.of(its);
    }
    method = ((short[]) all[0])[place];
    within = ((int[]) all[1])[place];
    return true;
  }

  private boolean nextOf(StackTraceElement[] all) {
    if (place == all.length) {
      return false;
    }
    StackTraceElement frame = all[place];
    type = null;
    name = frame.getClassName();
    origin = isJdks(frame) ? Origin.of(Object.class) : Origin.named(name);
    method = frame.getMethodName().hashCode();
    within = frame.getLineNumber();
    return true;
  }

  private static boolean isJdks(StackTraceElement frame) {
    String module = frame.getModuleName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  String name() {
    Class<?> its = type;
    return its == null ? name : its.getName();
  }

  /** Whether the frame is the JDK's or the agent's. */
  boolean isJdks() {
    Class<?> its = type;
    return its == null ? origin.source == CallSiteRule.NOBODY : Origin.isJdks(its);
  }
}
