package shop;

import java.util.concurrent.CountDownLatch;

/** A thread that a test starts, and that opens an image when the test has ended. */
final class LateThread extends Thread {
  private static final CountDownLatch GO = new CountDownLatch(1);
  private static LateThread started;

  static void begin() {
    started = new LateThread();
    started.start();
  }

  @Override
  public void run() {
    try {
      GO.await();
      new Image();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static void openAndEnd() throws InterruptedException {
    GO.countDown();
    started.join();
  }
}
