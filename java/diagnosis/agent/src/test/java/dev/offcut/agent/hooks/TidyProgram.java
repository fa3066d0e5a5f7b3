package dev.offcut.agent.hooks;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/**
 * A program that collects, and leaves nothing open, or one registration. It runs until the agent
 * has looked at it, and a collection has then found what the agent dropped to prove its counts.
 *
 * <p>Argument: how many it leaves, 0 or 1.
 */
public final class TidyProgram {
  private TidyProgram() {}

  /** The agent looks between two of them. */
  static final int COLLECTIONS = 4;

  public static void main(String[] args) throws Exception {
    collect(args[0].equals("0"));
    System.out.println("collected");
  }

  /** Not in the main method: what that holds is in use until it returns. */
  private static void collect(boolean closes) throws Exception {
    Object registered = new Object();
    Cleaner.Cleanable cleanable = Cleaner.create().register(registered, TidyProgram::nothing);
    if (closes) {
      cleanable.clean();
    }
    try {
      for (int i = 0; i < COLLECTIONS; i++) {
        System.gc();
        Looks.await(1);
      }
    } finally {
      Reference.reachabilityFence(registered);
    }
  }

  private static void nothing() {}
}
