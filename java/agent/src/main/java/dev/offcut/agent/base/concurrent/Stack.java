package dev.offcut.agent.base.concurrent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stack of an opening: from the program's latest frame on so many, without the JDK's and the
 * agent's above it. If there is none of the program, those of the JDK.
 *
 * <p>HotSpot keeps a stack as arrays: for each frame the number of its method in its class, where
 * in the method, and the class. That is enough to tell two stacks from each other, and is there in
 * half a microsecond for twenty frames; to ask for their names takes three, and a walk of {@link
 * StackWalker} four. So only a stack that is new is asked for names, and one whose first 32 frames,
 * which is what the first arrays have, are all the JDK's. Whether the arrays are as known is looked
 * at once; if not, all are asked for names.
 */
final class Stack {
  /** Frames: what is further out hardly tells two places from each other. */
  private static final int MOST = 20;

  /** Numbers of a frame in a key. */
  private static final int NUMBERS = 2;

  private static final String REFLECTION = "jdk.internal.reflect.";

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private static final Stock.Fields FIELDS = Stock.Fields.getUnsafe();

  /** Where a stack keeps its arrays; -1: they are not as known. */
  private static final long ARRAYS = arrays();

  private final Throwable taken = new Throwable();

  /** The first frame that counts. */
  private int first;

  /** One for each frame that counts. */
  String[] classes = new String[0];

  /** For each frame the method, and where in it. */
  int[] numbers = new int[0];

  /** Takes it. */
  Stack() {
    Object[] arrays = ARRAYS < 0 ? null : arrays(taken, ARRAYS);
    if (arrays == null) {
      readNames();
    } else {
      read((short[]) arrays[0], (int[]) arrays[1], (Object[]) arrays[2]);
    }
  }

  private static Object @Nullable [] arrays(Throwable stack, long where) {
    return (Object[]) FIELDS.getReference(stack, where);
  }

  /** Looks at a stack whether its arrays say the same as its names. */
  private static long arrays() {
    try {
      long where = FIELDS.objectFieldOffset(Throwable.class, "backtrace");
      Throwable stack = new Throwable();
      Object[] arrays = arrays(stack, where);
      if (arrays == null || !(arrays[0] instanceof short[]) || !(arrays[1] instanceof int[])) {
        return -1;
      }
      Object[] mirrors = (Object[]) arrays[2];
      StackTraceElement[] frames = stack.getStackTrace();
      for (int i = 0; i < Math.min(frames.length, mirrors.length); i++) {
        if (!((Class<?>) mirrors[i]).getName().equals(frames[i].getClassName())) {
          return -1;
        }
      }
      return where;
    } catch (Throwable e) {
      return -1; // another JVM
    }
  }

  private void read(short[] methods, int[] places, Object[] mirrors) {
    int depth = 0;
    int program = -1;
    while (depth < mirrors.length && mirrors[depth] != null) {
      if (program < 0 && !isJdks((Class<?>) mirrors[depth])) {
        program = depth;
      }
      depth++;
    }
    if (program < 0 && depth == mirrors.length) {
      readNames(); // it goes on in further arrays
      return;
    }
    first = Math.max(0, program);
    while (program < 0 && first < depth && isOwn(((Class<?>) mirrors[first]).getName())) {
      first++;
    }
    int count = Math.min(MOST, depth - first);
    classes = new String[count];
    numbers = new int[NUMBERS * count];
    for (int i = 0; i < count; i++) {
      classes[i] = ((Class<?>) mirrors[first + i]).getName();
      numbers[NUMBERS * i] = methods[first + i];
      numbers[NUMBERS * i + 1] = places[first + i];
    }
  }

  private static boolean isJdks(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    // Calls by reflection have loaders of their own up to JDK 17.
    return loader == null || loader == PLATFORM || type.getName().startsWith(REFLECTION);
  }

  /** What the agent put between the JDK's frames. */
  private static boolean isOwn(String name) {
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
    while (first < frames.length && isOwn(frames[first].getClassName())) {
      first++;
    }
    int count = Math.min(MOST, frames.length - first);
    classes = new String[count];
    numbers = new int[NUMBERS * count];
    for (int i = 0; i < count; i++) {
      StackTraceElement frame = frames[first + i];
      classes[i] = frame.getClassName();
      numbers[NUMBERS * i] = frame.getMethodName().hashCode();
      numbers[NUMBERS * i + 1] = frame.getLineNumber();
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
