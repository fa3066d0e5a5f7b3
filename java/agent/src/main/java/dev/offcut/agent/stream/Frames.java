package dev.offcut.agent.stream;

import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;

/** The frames of the JDK above the program's latest one, which is the place that reads. */
final class Frames implements Function<Stream<StackWalker.StackFrame>, String> {
  /** What the agent put between the stream and the walk: the stock stream has none of it. */
  private static final String OWN = "java.io.Offcut";

  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  int count;

  Frames() {}

  String walk() {
    return WALKER.walk(this);
  }

  @Override
  public String apply(Stream<StackWalker.StackFrame> stack) {
    Iterator<StackWalker.StackFrame> frames = stack.iterator();
    while (frames.hasNext()) {
      StackWalker.StackFrame frame = frames.next();
      ClassLoader loader = frame.getDeclaringClass().getClassLoader();
      if (loader != null && loader != ClassLoader.getPlatformClassLoader()) {
        return frame.getClassName() + "." + frame.getMethodName();
      }
      if (!frame.getClassName().startsWith(OWN)) {
        count++;
      }
    }
    return "the JDK alone";
  }
}
