package dev.offcut.agent.publish;

import java.lang.ref.Cleaner;
import java.util.concurrent.CountDownLatch;

/** What frees one of its objects never comes back, or all does. */
final class StuckProgram {
  private static final CountDownLatch BEGUN = new CountDownLatch(1);
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
    switch (args[0]) {
      case "finalizer" -> new Finalized();
      case "cleaner" -> Cleaner.create().register(new Object(), StuckProgram::block);
      default -> BEGUN.countDown();
    }
    while (BEGUN.getCount() > 0) {
      System.gc();
      Thread.sleep(10);
    }
    Thread.sleep(4_000);
    System.exit(0);
  }
}
