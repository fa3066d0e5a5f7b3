import dev.offcut.agent.publish.NativeMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Load for the hooks inside a JVM: threads of Java in native code, collections, short threads,
 * exceptions, libraries that come and go, children, signals; meanwhile the sampler is detached and
 * attached again.
 *
 * <p>Arguments: the library of this class, seconds, the sampler's library or nothing, cycles of
 * detach and attach, how the JVM ends (return, exit, halt or crash), the sampler's file; the file of
 * cycle N ends with .N.
 */
final class Load {
  private static final AtomicLong ERRORS = new AtomicLong();
  private static final AtomicLong DONE = new AtomicLong();
  static volatile Object garbage;

  private Load() {}

  /** Operations done, or the number of errors, negative. */
  static native long churn(int seed, int ms);

  static native long others();

  static native long library(String path);

  static native void fail();

  static native void crash();

  /** Slots of all libraries that lead into the library of this path. */
  static native long slotsInto(String path);

  private static void count(long result) {
    if (result < 0) {
      ERRORS.addAndGet(-result);
    } else {
      DONE.addAndGet(result);
    }
  }

  private static void expect(boolean holds, String what) {
    if (!holds) {
      ERRORS.incrementAndGet();
      System.out.println("load: not so: " + what);
    }
  }

  private static void failOnce() {
    try {
      fail();
      expect(false, "native code throws");
    } catch (IllegalStateException e) {
      expect("from native code".equals(e.getMessage()), e.toString());
    }
  }

  private static void cycle(String sampler, String file, int number) throws InterruptedException {
    expect(slotsInto(sampler) > 10, "slots lead to the hooks");
    NativeMemory.detach0();
    expect(slotsInto(sampler) == 0, "no slot leads to the hooks after detach");
    NativeMemory.detach0();
    Thread.sleep(20);
    expect(NativeMemory.attach0(file + "." + number), "attach");
    expect(!NativeMemory.attach0(file + ".no"), "a second attach is refused");
  }

  private static void cycles(String sampler, String file, int cycles, long end) {
    long began = System.nanoTime();
    try {
      for (int i = 1; i <= cycles; i++) {
        while (System.nanoTime() < began + (end - began) / (cycles + 1) * i) {
          Thread.sleep(5);
        }
        cycle(sampler, file, i);
      }
      expect(!NativeMemory.attach0("/no/such/folder/file"), "a file that cannot be made");
    } catch (InterruptedException e) {
      expect(false, e.toString());
    }
  }

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    String sampler = args[2];
    if (!sampler.isEmpty()) {
      System.load(sampler); // as the agent does
      expect(NativeMemory.attach0(args[5]), "attach");
    }
    if (args[4].equals("crash")) {
      crash();
    }
    long end = System.nanoTime() + Long.parseLong(args[1]) * 1_000_000_000L;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int seed = i + 1;
      threads.add(
          new Thread(
              () -> {
                for (int round = 0; System.nanoTime() < end; round++) {
                  count(churn(seed * 1000 + round, 50));
                }
              }));
    }
    threads.add(new Thread(() -> cycles(sampler, args[5], Integer.parseInt(args[3]), end)));
    for (Thread thread : threads) {
      thread.start();
    }
    while (System.nanoTime() < end) {
      ERRORS.addAndGet(others() + library(args[0] + ".2"));
      failOnce();
      for (int i = 0; i < 1000; i++) {
        garbage = new byte[10_000];
      }
      System.gc();
      Thread shortOne = new Thread(() -> count(churn(7, 1)));
      shortOne.start();
      shortOne.join();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    // Threads that are in native code when the JVM ends.
    AtomicBoolean begun = new AtomicBoolean();
    Thread last =
        new Thread(
            () -> {
              begun.set(true);
              churn(9, 60_000);
            });
    last.setDaemon(true);
    last.start();
    while (!begun.get()) {
      Thread.onSpinWait();
    }
    System.out.println("load: " + ERRORS + " errors in " + DONE + " operations");
    int status = ERRORS.get() == 0 ? 0 : 1;
    switch (args[4]) {
      case "exit":
        System.exit(status);
        break;
      case "halt":
        Runtime.getRuntime().halt(status);
        break;
      default:
        if (status != 0) {
          throw new AssertionError();
        }
    }
  }
}
