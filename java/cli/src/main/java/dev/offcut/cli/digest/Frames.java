package dev.offcut.cli.digest;

import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/** Stacks of events as text, without what lies above the program: the JDK's own frames. */
final class Frames {
  /** In the names of classes that nobody wrote, and that are others in each run. */
  private static final String LAMBDA = "$$Lambda";

  private Frames() {}

  static List<String> of(RecordedStackTrace stack) {
    List<String> frames = new ArrayList<>();
    for (RecordedFrame frame : stack.getFrames()) {
      if (frame.isJavaFrame()) {
        RecordedMethod method = frame.getMethod();
        String type = method.getType().getName();
        boolean above = frames.isEmpty() && isInside(type);
        if (!above && !type.contains(LAMBDA)) {
          frames.add(text(type, method.getName(), frame.getLineNumber()));
        }
      }
    }
    return frames;
  }

  private static boolean isInside(String type) {
    return type.startsWith("java.")
        || type.startsWith("jdk.")
        || type.startsWith("sun.")
        || type.startsWith("dev.offcut.agent.");
  }

  /** Recordings have no file names; that of the outermost class is what compilers expect. */
  private static String text(String type, String method, int line) {
    int inner = type.indexOf('$');
    String outer = inner < 0 ? type : type.substring(0, inner);
    String file = outer.substring(outer.lastIndexOf('.') + 1) + ".java";
    return type + "." + method + "(" + file + (line > 0 ? ":" + line : "") + ")";
  }
}
