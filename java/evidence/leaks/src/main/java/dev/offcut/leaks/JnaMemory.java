package dev.offcut.leaks;

import com.sun.jna.Memory;

/** A binding that takes a block of memory for each call and leaves it to JNA's cleaner. */
public final class JnaMemory {
  private static final int CALLS = 10_000;
  private static final int BYTES = 8 * 1024;

  private JnaMemory() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    for (int i = 0; i < CALLS; i++) {
      if (fixed) {
        closing();
      } else {
        leaking();
      }
    }
    Observer.end();
  }

  private static void leaking() {
    Memory argument = new Memory(BYTES); // the leak
    argument.clear();
  }

  private static void closing() {
    try (Memory argument = new Memory(BYTES)) {
      argument.clear();
    }
  }
}
