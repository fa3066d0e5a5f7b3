package dev.offcut.retrofit.base.io;

import java.util.concurrent.atomic.LongAdder;

/** What was counted of all streams. The agent that counts asks for it, if it is there, too. */
public final class StreamCounts {
  private static final LongAdder WALKS = new LongAdder();
  private static final LongAdder SAVED = new LongAdder();

  private StreamCounts() {}

  static void walked() {
    WALKS.increment();
  }

  static void saved() {
    SAVED.increment();
  }

  /** Walks that were done, and those that were saved. */
  public static long[] counts() {
    return new long[] {WALKS.sum(), SAVED.sum()};
  }
}
