package dev.offcut.examples.sqlite;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** Whether somebody watches stderr: {@code System.console()} only knows about stdin and stdout. */
final class Terminal {
  private static final int STDERR = 2;

  private Terminal() {}

  /** Whether stderr is a terminal that can rewrite a line. */
  static boolean isWatched() {
    String term = System.getenv("TERM");
    return term != null && !term.equals("dumb") && isTerminal(STDERR);
  }

  @SuppressWarnings("restricted") // calling C is what this program is about
  private static boolean isTerminal(int descriptor) {
    Linker linker = Linker.nativeLinker();
    Optional<MemorySegment> isatty = linker.defaultLookup().find("isatty");
    if (isatty.isEmpty()) {
      return false;
    }
    var type = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
    try {
      return (int) linker.downcallHandle(isatty.get(), type).invokeExact(descriptor) != 0;
    } catch (Throwable t) {
      throw new AssertionError("isatty throws nothing", t);
    }
  }
}
