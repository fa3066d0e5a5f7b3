package dev.offcut.agent.publish;

import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;

/** A finalizer and the action of a cleaner never come back. */
final class StuckProgram {
  private static final CountDownLatch BEGUN = new CountDownLatch(2);
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private StuckProgram() {}

  private static final class Finalized {
    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize"})
    protected void finalize() {
      block();
    }
  }

  static void block() {
    BEGUN.countDown();
    try {
      NEVER.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    new Finalized();
    Cleaner.create().register(new Object(), StuckProgram::block);
    while (BEGUN.getCount() > 0) {
      System.gc();
      Thread.sleep(10);
    }
    Thread.sleep(4_000);
    System.exit(0);
  }
}
