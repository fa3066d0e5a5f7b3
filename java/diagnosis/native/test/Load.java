import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Load for the hooks inside a JVM: threads of Java in native code, collections, short threads, libraries that come and go. */
final class Load {
  private static final AtomicLong ERRORS = new AtomicLong();
  private static final AtomicLong DONE = new AtomicLong();
  static volatile Object garbage;

  private Load() {}

  static native long churn(int seed, int ms);

  static native long others();

  static native long library(String path);

  static native void keep(int blocks, int size);

  private static void count(long result) {
    if (result < 0) {
      ERRORS.addAndGet(-result);
    } else {
      DONE.addAndGet(result);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    System.load(args[0]);
    if (args.length > 3) {
      System.load(args[3]); // the sampler: as early as the agent does
    }
    long end = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000_000L;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int seed = i + 1;
      Thread thread =
          new Thread(
              () -> {
                for (int round = 0; System.nanoTime() < end; round++) {
                  count(churn(seed * 1000 + round, 50));
                }
              });
      threads.add(thread);
      thread.start();
    }
    while (System.nanoTime() < end) {
      ERRORS.addAndGet(others() + library(Path.of(args[1]).toString()));
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
    System.out.println("load: " + ERRORS + " errors in " + DONE + " operations");
    System.exit(ERRORS.get() == 0 ? 0 : 1);
  }
}
