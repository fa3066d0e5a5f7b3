package dev.offcut.stress;

import dev.offcut.handle.Handles;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * From the first handle to the end of the process. Arguments: {@code linger} (run it with {@code
 * -Doffcut.handle.lingerMillis=200}), {@code shutdown}, or {@code soak}, how many, the seed.
 */
public final class Lifetimes {
  private Lifetimes() {}

  /** Exits with 1 when something was lost or released twice. */
  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[1]);
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
    Ledger.reset(count + 8_192);
    switch (args[0]) {
      case "linger" -> linger(count, random);
      case "shutdown" -> shutdown(count);
      case "soak" -> soak(count, random);
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.exit(HeavyGraphs.settled() ? 0 : 1);
  }

  // The net's threads end when there is nothing to watch, and come back.

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
    check(Handles.snapshot().restarts() == 0, "an end is no death");
  }

  private static boolean isRunning() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("offcut-reaper"));
  }

  // Handles opened after the shutdown has begun work; the net is not run at exit.

  private static void shutdown(int count) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> openInHook(count)));
    Thread busy = new Thread(Lifetimes::openAndClose, "busy");
    busy.setDaemon(true);
    busy.start();
    new Kinds.Exact(); // stays open at exit: not released, not an error
    System.exit(0);
  }

  private static void openAndClose() {
    while (!Ledger.isHalfFull()) {
      new Kinds.Exact().close();
    }
  }

  private static void openInHook(int count) {
    int right = 0;
    for (int i = 0; i < count / 10; i++) {
      Kinds.Exact handle = new Kinds.Exact();
      long line = handle.withLong(value -> value);
      handle.close();
      right += Ledger.releasesOf(line) == 1 ? 1 : 0;
    }
    Kinds.Parent parent = new Kinds.Parent(); // a type first used now
    new Kinds.Child(parent).close();
    parent.close();
    long forgotten = forget();
    boolean drained = Handles.drain(Duration.ofSeconds(10));
    System.out.println(
        right == count / 10 && drained && Ledger.releasesOf(forgotten) == 1
            ? "exactly once in the hook"
            : "FAILED: " + right + " of " + count / 10 + " closed, drained " + drained);
  }

  private static long forget() {
    return new Kinds.Exact().withLong(value -> value);
  }

  // Many handles of all ages.

  private static void soak(int count, SplittableRandom random) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      long seed = random.nextLong();
      Thread thread = new Thread(() -> live(count / 2, new SplittableRandom(seed)));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void live(int count, SplittableRandom random) {
    ArrayDeque<AutoCloseable> queue = new ArrayDeque<>();
    for (int i = 0; i < count; i++) {
      AutoCloseable handle = new Kinds.Exact();
      int fate = random.nextInt(100);
      if (fate < 80) {
        close(handle);
      } else if (fate < 98) {
        queue.add(handle);
      }
      if (queue.size() > 5_000) {
        close(queue.remove());
      }
    }
    queue.forEach(Lifetimes::close);
  }

  private static void close(AutoCloseable handle) {
    try {
      handle.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      System.out.println("FAILED: " + what + "; " + Handles.snapshot());
      System.exit(1);
    }
  }
}
