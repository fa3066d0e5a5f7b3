package dev.offcut.agent.track;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/**
 * A program that collects, and leaves nothing open, or one registration.
 *
 * <p>Argument: how many it leaves, 0 or 1.
 */
public final class TidyProgram {
  private TidyProgram() {}

  public static void main(String[] args) {
    Object registered = new Object();
    Cleaner.Cleanable cleanable = Cleaner.create().register(registered, TidyProgram::nothing);
    try {
      System.gc();
    } finally {
      Reference.reachabilityFence(registered);
    }
    if (args[0].equals("0")) {
      cleanable.clean();
    }
    System.out.println("collected");
  }

  private static void nothing() {}
}
