package dev.offcut.leaks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A driver of digital outputs that takes a structure from an automatic arena for each call. */
public final class AutoArenas {
  private static final int CALLS = 50_000;
  private static final int BYTES = 592;

  private AutoArenas() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    for (int i = 0; i < CALLS; i++) {
      if (fixed) {
        try (Arena arena = Arena.ofConfined()) {
          ioctl(arena.allocate(BYTES));
        }
      } else {
        ioctl(Arena.ofAuto().allocate(BYTES)); // the leak
      }
    }
    Observer.end();
  }

  private static void ioctl(MemorySegment values) {
    values.fill((byte) 1);
  }
}
