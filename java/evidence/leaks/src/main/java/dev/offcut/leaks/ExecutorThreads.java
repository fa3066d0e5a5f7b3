package dev.offcut.leaks;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Clients that are made for one request each, with an executor that nobody shuts down. */
public final class ExecutorThreads {
  private static final int REQUESTS = 800;
  private static final int DEPTH = 1_500;

  private ExecutorThreads() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    Observer.begin();
    long sum = 0;
    for (int i = 0; i < REQUESTS; i++) {
      sum += request(fixed);
    }
    Observer.end();
    System.out.println("sum " + sum);
    System.exit(0);
  }

  private static int request(boolean fixed) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(1); // the leak
    int sum = executor.submit(() -> deep(DEPTH)).get();
    if (fixed) {
      executor.shutdown();
    }
    return sum;
  }

  /** Touches the stack, as real work does. */
  private static int deep(int frames) {
    return frames == 0 ? 0 : 1 + deep(frames - 1);
  }
}
