package dev.offcut.agent.hooks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens direct buffers and keeps them until the heap is full, again and again, and prints how many
 * openings failed although they had got their native memory.
 */
public final class FullHeapProgram {
  /**
   * Bytes of the heap that are full from the start: to fill all of it with buffers takes seconds.
   */
  private static final int BALLAST = 10 << 20;

  private FullHeapProgram() {}

  public static void main(String[] args) {
    int astray = 0;
    for (int i = 0; i < 2; i++) {
      List<Object> open = new ArrayList<>();
      try {
        open.add(new byte[BALLAST]);
        while (true) {
          open.add(ByteBuffer.allocateDirect(1));
        }
      } catch (OutOfMemoryError e) {
        open = null;
        for (StackTraceElement frame : e.getStackTrace()) {
          astray += frame.getClassName().contains("Offcut") ? 1 : 0;
        }
      }
    }
    System.out.println("astray " + astray);
  }
}
