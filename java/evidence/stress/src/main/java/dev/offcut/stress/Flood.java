package dev.offcut.stress;

import java.util.ArrayList;
import java.util.List;

/**
 * Small handles forgotten as fast as they can be opened: the net must slow the openers, not run out
 * of memory. Arguments: {@code exact}, how many, threads; or {@code slow}, how many, threads, and
 * the microseconds that a release takes.
 */
public final class Flood {
  private Flood() {}

  /** Exits with 1 when a value was lost, 3 at an OutOfMemoryError. */
  public static void main(String[] args) throws InterruptedException {
    String kind = args[0];
    Kinds.Slow.nanos = args.length < 4 ? 0 : Long.parseLong(args[3]) * 1_000;
    int count = Integer.parseInt(args[1]);
    int threads = Integer.parseInt(args[2]);
    Ledger.reset(count + 8_192);
    long start = System.nanoTime();
    List<Thread> openers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      openers.add(new Thread(() -> open(kind, count / threads), "flood-" + t));
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

  private static void open(String kind, int count) {
    try {
      for (int i = 0; i < count; i++) {
        Object forgotten =
            switch (kind) {
              case "slow" -> new Kinds.Slow();
              default -> new Kinds.Exact();
            };
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
