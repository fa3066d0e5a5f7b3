package dev.offcut.examples.sqlite;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C: asks the run to end, and holds the JVM back until the report is out. The JVM then ends
 * with 128 and the signal's number, 130 for Ctrl-C.
 */
final class Interrupt {
  /** For a run that does not come to an end: the JVM goes all the same. */
  private static final long PATIENCE_SECONDS = 60;

  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile boolean requested;

  /** One that a signal requests. */
  static Interrupt onSignal() {
    Interrupt interrupt = new Interrupt();
    Runtime.getRuntime().addShutdownHook(new Thread(interrupt::hold, "interrupt"));
    return interrupt;
  }

  private void hold() {
    request();
    try {
      boolean ignored = finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the run to end. */
  void request() {
    requested = true;
  }

  /** Whether the run should end. */
  boolean requested() {
    return requested;
  }

  /** The report is out. */
  void finish() {
    finished.countDown();
  }
}
