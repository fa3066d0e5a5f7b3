package dev.offcut.replay;

import java.util.concurrent.CountDownLatch;

/**
 * Until it is released, a signal that ends this JVM has to wait: Ctrl-C reaches a recorded program
 * too, and its trace is to be written when it has ended. The JVM then ends with the signal's code.
 */
final class HoldOnSignal {
  private final CountDownLatch released = new CountDownLatch(1);

  HoldOnSignal() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::hold, "hold on signal"));
  }

  private void hold() {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The trace is written. */
  void release() {
    released.countDown();
  }
}
