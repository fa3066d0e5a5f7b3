package dev.offcut.stress;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Stops a thread for a moment, at random: called after every store and every atomic access of a
 * library that {@code Delayed} has rewritten. Between two of them lies a window that the scheduler
 * meets once in thousands of runs.
 *
 * <p>Either the net's threads are stopped or the program's, as {@code -Ddelay=net} or {@code
 * -Ddelay=program} says: a window is found when the others have the time to go through it.
 */
public final class Delay {
  /** Threads that rotate and collect for the net have names that begin so. */
  static final String NET = "net-";

  /** While it is false nobody is stopped: what is left then need not take longer. */
  static volatile boolean on = System.getProperty("delay") != null;

  private static final boolean OF_NET = "net".equals(System.getProperty("delay"));
  private static final int ONE_IN = 200;
  private static final long LONGEST = 40_000_000; // rotations, a collection and a release fit in

  private Delay() {}

  /** Mostly returns at once. */
  public static void maybe() {
    if (!on) {
      return;
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (random.nextInt(ONE_IN) == 0 && isOfNet(Thread.currentThread().getName()) == OF_NET) {
      LockSupport.parkNanos(random.nextLong(LONGEST));
    }
  }

  private static boolean isOfNet(String name) {
    return name.startsWith("offcut-") || name.startsWith(NET) || name.equals(Ledger.OWN_THREAD);
  }
}
