package dev.offcut.stress;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Releasers and threads that misbehave. Each fault is a process of its own, run with {@code
 * -Doffcut.handle.hangMillis=200}. Argument: the fault. Exits with 1 when something was lost,
 * released twice, or not as documented.
 */
public final class Faults {
  private static final Object LOCK = new Object();
  private static volatile boolean waiting;

  private Faults() {}

  /** Runs one fault. */
  public static void main(String[] args) throws Exception {
    Ledger.reset(300_000);
    switch (args[0]) {
      case "interrupts" -> interrupts();
      case "locked" -> locked();
      default -> throw new IllegalArgumentException(args[0]);
    }
    check(HeavyGraphs.settled(), "all released once");
    System.out.println("ok");
    System.exit(0);
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      System.out.println("FAILED: " + what + "; " + Handles.snapshot());
      System.exit(1);
    }
  }

  /** A handle whose releaser wants the lock. */
  private static final class Locked extends Handle {
    static final HandleType TYPE =
        HandleType.named("locked").releaser(Locked::releaseLocked).create();

    Locked() {
      open(Kinds::line);
    }

    private static void releaseLocked(long line) {
      waiting = true;
      synchronized (LOCK) {
        Ledger.release(line);
      }
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** An opener that holds a lock which its releasers want: it is held back, but not for ever. */
  private static void locked() throws InterruptedException {
    for (int i = 0; i < 1_000; i++) {
      new Locked();
    }
    synchronized (LOCK) {
      while (!waiting) {
        System.gc();
        Thread.sleep(20);
      }
      for (int i = 0; i < 200_000; i++) {
        new Locked();
      }
    }
  }

  private static void interrupts() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    long end = System.nanoTime() + 2_000_000_000L;
    for (int t = 0; t < 2; t++) {
      threads.add(new Thread(() -> interruptAll(end)));
      threads.get(t).start();
    }
    while (System.nanoTime() - end < 0) {
      for (int i = 0; i < 500; i++) {
        new Kinds.Exact();
      }
      Handles.drain(Duration.ofMillis(50));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void interruptAll(long end) {
    while (System.nanoTime() - end < 0) {
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().startsWith("offcut-")) {
          thread.interrupt();
        }
      }
    }
  }
}
