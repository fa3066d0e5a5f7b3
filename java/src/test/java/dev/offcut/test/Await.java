package dev.offcut.test;

import java.util.concurrent.CountDownLatch;

/** Waits until a test observes what it needs: never for a time. */
public final class Await {
  /** Only ends a hang: no busy machine is that slow. */
  private static final long MOST_NANOS = 600_000_000_000L;

  private static final long PAUSE_MILLIS = 20;

  private Await() {}

  /** What is observed. */
  public interface Condition {
    /** Whether it is so by now. */
    boolean holds() throws Exception;
  }

  /**
   * Returns as soon as the condition holds; fails after ten minutes.
   *
   * @param what the condition in words, for the failure
   */
  public static void until(String what, Condition condition) throws Exception {
    long began = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - began > MOST_NANOS) {
        throw new AssertionError("not within ten minutes: " + what);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /** Waits for a latch where nothing checked may be thrown. */
  public static void latch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
