package dev.offcut.agent.stream;

import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;

/** The frames of the JDK above the program's latest one, which is the place that reads. */
final class Frames implements Function<Stream<StackWalker.StackFrame>, String> {
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
      count++;
    }
    return "the JDK alone";
  }
}
