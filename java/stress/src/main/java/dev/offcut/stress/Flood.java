package dev.offcut.stress;

import java.util.ArrayList;
import java.util.List;

/**
 * Small handles forgotten as fast as they can be opened: the net must slow the openers, not run out
 * of memory. Arguments: {@code exact} or {@code grouped}, how many, threads.
 */
public final class Flood {
  private Flood() {}

  /** Exits with 1 when a value was lost, 3 at an OutOfMemoryError. */
  public static void main(String[] args) throws InterruptedException {
    boolean grouped = args[0].equals("grouped");
    int count = Integer.parseInt(args[1]);
    int threads = Integer.parseInt(args[2]);
    Ledger.reset(count + 8_192);
    long start = System.nanoTime();
    List<Thread> openers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      openers.add(new Thread(() -> open(grouped, count / threads), "flood-" + t));
      openers.get(t).start();
    }
    for (Thread opener : openers) {
      opener.join();
    }
    System.out.printf("opened after %,d ms%n", (System.nanoTime() - start) / 1_000_000);
    boolean settled = HeavyGraphs.settled();
    System.out.printf("released after %,d ms%n", (System.nanoTime() - start) / 1_000_000);
    System.exit(settled ? 0 : 1);
  }

  private static void open(boolean grouped, int count) {
    try {
      for (int i = 0; i < count; i++) {
        Object forgotten = grouped ? new Kinds.Grouped() : new Kinds.Exact();
        if (forgotten.hashCode() == System.nanoTime()) {
          System.out.print(""); // the object escapes
        }
      }
    } catch (OutOfMemoryError e) {
      System.out.println("FAILED: " + e + " after " + Ledger.opened());
      System.exit(3);
    }
  }
}
