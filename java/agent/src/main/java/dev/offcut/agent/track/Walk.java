package dev.offcut.agent.track;

import java.lang.StackWalker.StackFrame;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One walk over the stack of an opening: from the program's latest frame on so many, without the
 * JDK's and the agent's above it. If there is none of the program, those of the JDK.
 */
final class Walk implements Function<Stream<StackFrame>, Object[]> {
  /** Frames: what is further out hardly tells two places from each other. */
  private static final int MOST = 20;

  /** Frames of the JDK over the program's: a stack that has more is the JDK's own. */
  private static final int MOST_ABOVE = 64;

  /** Threads that walk at the same time: what more of them open leaves no stack. */
  private static final int PLACES = 64;

  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final ClassLoader PLATFORM = ClassLoader.getPlatformClassLoader();

  private static final AtomicReferenceArray<Thread> WALKING = new AtomicReferenceArray<>(PLACES);

  private final List<StackFrame> taken = new ArrayList<>(MOST);

  Walk() {}

  /**
   * Marks the thread as one that walks; where, or -1 if it does already or too many do. A walk may
   * load classes the first time, and so open what would be walked for.
   */
  static int enter() {
    Thread thread = Thread.currentThread();
    int free = -1;
    for (int place = 0; place < PLACES; place++) {
      Thread walking = WALKING.getPlain(place);
      if (walking == thread) {
        return -1;
      }
      if (walking == null && free < 0) {
        free = place;
      }
    }
    while (free >= 0 && free < PLACES) {
      if (WALKING.compareAndSet(free, null, thread)) {
        return free;
      }
      free++;
    }
    return -1;
  }

  static void leave(int place) {
    WALKING.setRelease(place, null);
  }

  /** Of each frame the class, the method and where in it. */
  Object[] take() {
    return WALKER.walk(this);
  }

  @Override
  public Object[] apply(Stream<StackFrame> stack) {
    Iterator<StackFrame> frames = stack.iterator();
    List<StackFrame> above = new ArrayList<>(8);
    while (frames.hasNext() && taken.size() < MOST) {
      StackFrame frame = frames.next();
      if (!taken.isEmpty()) {
        taken.add(frame);
      } else if (isJdks(frame)) {
        if (above.size() < MOST_ABOVE && !isOwn(frame)) {
          above.add(frame);
        }
      } else {
        taken.add(frame);
      }
    }
    if (taken.isEmpty()) {
      taken.addAll(above.subList(0, Math.min(MOST, above.size())));
    }
    Object[] key = new Object[3 * taken.size()];
    int at = 0;
    for (StackFrame frame : taken) {
      key[at++] = frame.getClassName();
      key[at++] = frame.getMethodName();
      key[at++] = frame.getByteCodeIndex();
    }
    return key;
  }

  private static boolean isJdks(StackFrame frame) {
    ClassLoader loader = frame.getDeclaringClass().getClassLoader();
    return loader == null || loader == PLATFORM;
  }

  /** What the agent put between the JDK's frames. */
  private static boolean isOwn(StackFrame frame) {
    String name = frame.getClassName();
    return name.startsWith("java.util.concurrent.Offcut")
        || name.startsWith("jdk.internal.foreign.Offcut");
  }

  /** The frames that were taken, in lines. */
  String text() {
    StringBuilder text = new StringBuilder();
    for (StackFrame frame : taken) {
      text.append(text.isEmpty() ? "" : "\n");
      StackTraceElement element = frame.toStackTraceElement();
      text.append(element.getClassName()).append('.').append(element.getMethodName()).append('(');
      String file = element.getFileName();
      if (element.isNativeMethod()) {
        text.append("native");
      } else if (file == null) {
        text.append("unknown");
      } else if (element.getLineNumber() < 0) {
        text.append(file);
      } else {
        text.append(file).append(':').append(element.getLineNumber());
      }
      text.append(')');
    }
    return text.toString();
  }
}
