package dev.offcut.stress;

import dev.offcut.handle.Handles;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The net's threads end when there is nothing to watch, and come back. Arguments: how often, the
 * seed. Run it with {@code -Doffcut.handle.lingerMillis=200}.
 */
public final class Linger {
  private Linger() {}

  /** Exits with 1 when something was lost or released twice. */
  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[0]);
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]));
    Ledger.reset(count + 8_192);
    linger(count, random);
    System.exit(HeavyGraphs.settled() ? 0 : 1);
  }

  private static void linger(int times, SplittableRandom random) throws InterruptedException {
    int ends = 0;
    for (int i = 0; i < times; i++) {
      new Kinds.Exact(); // forgotten
      for (int tries = 0; Ledger.released() < Ledger.opened(); tries++) {
        check(tries < 200, "released after a restart of the net");
        Handles.drain(Duration.ofSeconds(5));
      }
      System.gc(); // the nurseries' tokens
      long until = System.nanoTime() + Duration.ofMillis(random.nextInt(3_000)).toNanos();
      while (System.nanoTime() - until < 0 && isRunning()) {
        Thread.sleep(1);
        System.gc();
      }
      ends += isRunning() ? 0 : 1; // else the next handle comes while they live, or are ending
    }
    System.out.println("the threads ended " + ends + " times of " + times);
    check(ends > 0, "the threads end when there is nothing to watch");
    check(Handles.snapshot().restarts() == 0, "an end does not count as a restart");
  }

  private static boolean isRunning() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("offcut-reaper"));
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      System.out.println("FAILED: " + what + "; " + Handles.snapshot());
      System.exit(1);
    }
  }
}
