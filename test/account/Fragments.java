import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/**
 * A program whose malloc keeps much free memory, in one of four patterns. It says so, and waits.
 */
public final class Fragments {
  private static final int MIB = 1 << 20;
  private static final List<ByteBuffer> KEPT = new ArrayList<>();

  private Fragments() {}

  public static void main(String[] arguments) throws Exception {
    Random random = new Random(1);
    switch (arguments[0]) {
      // Sizes of all kinds; one in twenty stays, anywhere.
      case "mixed" -> free(blocks(random, 150 * MIB, 16, 80_000), random, 20);
      // Blocks of less than a page; one in 100 stays, so that some pages are free and some are not.
      case "small" -> free(blocks(random, 100 * MIB, 500, 1_500), random, 100);
      // All are freed but the last one, which lies at the end of the heap.
      case "burst" -> {
        List<ByteBuffer> blocks = blocks(random, 300 * MIB, 60_000, 60_000);
        KEPT.add(blocks.get(blocks.size() - 1));
        blocks.clear();
      }
      // Threads that allocate at the same time have an arena each.
      case "threads" -> {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          int seed = i;
          threads.add(new Thread(() -> work(new Random(seed))));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
          thread.join();
        }
      }
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    await();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  private static void work(Random random) {
    free(blocks(random, 25 * MIB, 100, 30_000), random, 10);
  }

  private static List<ByteBuffer> blocks(Random random, int all, int least, int most) {
    List<ByteBuffer> blocks = new ArrayList<>();
    for (long bytes = 0; bytes < all; bytes += blocks.get(blocks.size() - 1).capacity()) {
      blocks.add(ByteBuffer.allocateDirect(least + random.nextInt(most - least + 1)));
    }
    return blocks;
  }

  /** Drops all but one in so many. */
  private static void free(List<ByteBuffer> blocks, Random random, int share) {
    Collections.shuffle(blocks, random);
    synchronized (KEPT) {
      KEPT.addAll(blocks.subList(0, blocks.size() / share));
    }
    blocks.clear();
  }

  /** A collection finds what was dropped, and a thread frees it some time later. */
  private static void await() throws InterruptedException {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();
    System.gc();
    while (direct.getCount() > KEPT.size()) {
      Thread.sleep(10);
    }
  }
}
