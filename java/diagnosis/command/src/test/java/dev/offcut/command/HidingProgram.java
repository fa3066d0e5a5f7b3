package dev.offcut.command;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * A program whose memory no other process of its user may read: as one that was given privileges by
 * its file. It runs until its stdin ends.
 */
final class HidingProgram {
  private static final int SET_DUMPABLE = 4;

  private HidingProgram() {}

  @SuppressWarnings("restricted") // the JDK has no other way to call prctl
  public static void main(String[] args) throws IOException {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor prctl =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    try {
      int result =
          (int)
              linker
                  .downcallHandle(linker.defaultLookup().find("prctl").orElseThrow(), prctl)
                  .invokeExact(SET_DUMPABLE, 0L);
      System.out.println("hidden " + result);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
    while (System.in.read() >= 0) {}
  }
}
