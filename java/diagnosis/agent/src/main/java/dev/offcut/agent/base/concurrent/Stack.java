package dev.offcut.agent.base.concurrent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The stack of an opening: from the program's latest frame on so many, without the JDK's and the
 * agent's above it, and as many more as it takes to the first frame that is of no known library. If
 * there is none of the program, those of the JDK.
 *
 * <p>HotSpot keeps a stack as arrays of 32 frames, each with a link to the next: for each frame the
 * number of its method in its class, where in the method, and the class. That is enough to tell two
 * stacks from each other, and is there in half a microsecond for twenty frames; to ask for their
 * names takes three, and a walk of {@link StackWalker} four. So only a stack that is new is asked
 * for names. Whether the arrays and their link are as known is looked at once; if not, all are
 * asked for names.
 */
final class Stack {
  /** Frames: what is further out hardly tells two places from each other. */
  private static final int MOST = 20;

  /** Frames that are looked at for one of no known library. */
  private static final int FURTHEST = 256;

  /** Numbers of a frame in a key. */
  private static final int NUMBERS = 2;

  private static final String REFLECTION = "jdk.internal.reflect.";

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private static final Stock.Fields FIELDS = Stock.Fields.getUnsafe();

  /** Where a stack keeps its arrays; -1: they are not as known. */
  private static final long ARRAYS = arrays();

  /** More frames than the first arrays have. */
  private static final int DEEP = 40;

  /** Which of a stack's arrays is the link to the next; -1: it is not known. */
  private static final int LINK = ARRAYS < 0 ? -1 : link(DEEP);

  /** Classes that were found in a library's package, or not. Names only: loaders can go. */
  private static final Map<String, Boolean> KNOWN = new ConcurrentHashMap<>();

  /** Classes that are made while the program runs have names without end. */
  private static final int MOST_KNOWN = 10_000;

  private final Throwable taken = new Throwable();

  /** The first frame that counts. */
  private int first;

  /** One for each frame that counts. */
  String[] classes = new String[MOST];

  /** For each frame the method, and where in it. */
  int[] numbers = new int[NUMBERS * MOST];

  /** How many count by now, and whether one of them is of no known library. */
  private int count;

  private boolean isOwnThere;

  /** Takes it. */
  Stack() {
    Object[] arrays = ARRAYS < 0 ? null : arrays(taken, ARRAYS);
    if (arrays == null || !read(arrays)) {
      readNames();
    }
    if (!isOwnThere) {
      count = Math.min(count, MOST);
    }
    if (count < classes.length) {
      classes = Arrays.copyOf(classes, count);
      numbers = Arrays.copyOf(numbers, NUMBERS * count);
    }
  }

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
   * Whether arrays are as known, and begin with so many frames of this class, and no more of them.
   * To ask the stack for its names would take milliseconds at the start of each program.
   */
  private static boolean beginWith(Object[] arrays, int frames) {
    if (!(arrays[0] instanceof short[]) || !(arrays[1] instanceof int[])) {
      return false;
    }
    Object[] mirrors = (Object[]) arrays[2];
    for (int i = 0; i < mirrors.length && i <= frames; i++) {
      if (!(mirrors[i] instanceof Class<?> type) || (type == Stack.class) != (i < frames)) {
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

  /** Whether the arrays have all that is to be known. */
  private boolean read(Object[] all) {
    Object[] arrays = all;
    int depth = 0;
    int program = -1;
    while (true) {
      Object[] mirrors = (Object[]) arrays[2];
      for (int i = 0; i < mirrors.length; i++) {
        if (mirrors[i] == null) {
          return program >= 0 || readOfJdk(all);
        }
        Class<?> type = (Class<?>) mirrors[i];
        boolean isJdks = (program < 0 || !isOwnThere) && isJdks(type);
        if (program < 0 && !isJdks) {
          program = depth;
          first = depth;
        }
        if (program >= 0) {
          if (!add(type.getName(), ((short[]) arrays[0])[i], ((int[]) arrays[1])[i], isJdks)) {
            return true;
          }
        }
        depth++;
      }
      if (LINK < 0) {
        return false; // it goes on, and nobody knows where
      }
      if (!(arrays[LINK] instanceof Object[] next)) {
        return program >= 0 || readOfJdk(all);
      }
      arrays = next;
    }
  }

  /** One more frame; whether there may be another. */
  private boolean add(String name, int method, int place, boolean isJdks) {
    if (count == classes.length) {
      classes = Arrays.copyOf(classes, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * NUMBERS * count);
    }
    classes[count] = name;
    numbers[NUMBERS * count] = method;
    numbers[NUMBERS * count + 1] = place;
    count++;
    isOwnThere |= !isJdks && !isLibrary(name);
    if (count < MOST) {
      return true;
    }
    if (!isOwnThere && count == FURTHEST) {
      count = MOST; // then so many are not worth their room
      return false;
    }
    return !isOwnThere;
  }

  /** What has no frame of the program has few: those of the first arrays are enough. */
  private boolean readOfJdk(Object[] arrays) {
    Object[] mirrors = (Object[]) arrays[2];
    count = 0;
    first = 0;
    for (int i = 0; i < mirrors.length && mirrors[i] != null && count < MOST; i++) {
      String name = ((Class<?>) mirrors[i]).getName();
      if (count == 0 && isAgents(name)) {
        first++;
      } else {
        add(name, ((short[]) arrays[0])[i], ((int[]) arrays[1])[i], true);
      }
    }
    return true;
  }

  private static boolean isJdks(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    // Calls by reflection have loaders of their own up to JDK 17.
    return loader == null || loader == PLATFORM || type.getName().startsWith(REFLECTION);
  }

  private static boolean isLibrary(String name) {
    Boolean known = KNOWN.get(name);
    if (known != null) {
      return known;
    }
    boolean found = false;
    for (String library : TrackingSettings.LIBRARIES) {
      found |= name.startsWith(library);
    }
    if (KNOWN.size() < MOST_KNOWN) {
      KNOWN.put(name, found);
    }
    return found;
  }

  /** What the agent put between the JDK's frames. */
  private static boolean isAgents(String name) {
    return name.startsWith("java.util.concurrent.Offcut")
        || name.startsWith("jdk.internal.foreign.Offcut");
  }

  private void readNames() {
    StackTraceElement[] frames = taken.getStackTrace();
    int program = 0;
    while (program < frames.length && isJdks(frames[program])) {
      program++;
    }
    first = program < frames.length ? program : 0;
    while (first < frames.length && isAgents(frames[first].getClassName())) {
      first++;
    }
    count = 0;
    isOwnThere = program == frames.length;
    for (int i = first; i < frames.length; i++) {
      StackTraceElement frame = frames[i];
      int method = frame.getMethodName().hashCode();
      if (!add(frame.getClassName(), method, frame.getLineNumber(), isJdks(frame))) {
        return;
      }
    }
  }

  private static boolean isJdks(StackTraceElement frame) {
    String module = frame.getModuleName();
    return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
  }

  /** Its frames, a line each. */
  String text() {
    List<String> lines = new ArrayList<>();
    StackTraceElement[] frames = taken.getStackTrace();
    for (int i = first; i < Math.min(first + classes.length, frames.length); i++) {
      lines.add(line(frames[i]));
    }
    return String.join("\n", lines);
  }

  /** Its frames, those of the JDK above the first one that counts among them. */
  List<StackTraceElement> frames() {
    List<StackTraceElement> all = new ArrayList<>();
    StackTraceElement[] frames = taken.getStackTrace();
    for (int i = 0; i < Math.min(first + classes.length, frames.length); i++) {
      if (!isAgents(frames[i].getClassName())) {
        all.add(frames[i]);
      }
    }
    return List.copyOf(all);
  }

  private static String line(StackTraceElement frame) {
    String file = frame.getFileName();
    StringBuilder line = new StringBuilder(frame.getClassName());
    line.append('.').append(frame.getMethodName()).append('(');
    if (frame.isNativeMethod()) {
      line.append("native");
    } else {
      line.append(file == null ? "unknown" : file);
    }
    if (file != null && frame.getLineNumber() >= 0) {
      line.append(':').append(frame.getLineNumber());
    }
    return line.append(')').toString();
  }
}
