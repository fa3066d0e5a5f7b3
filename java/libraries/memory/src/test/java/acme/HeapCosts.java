package acme;

import dev.offcut.memory.BlockHeap;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.Owner;
import dev.offcut.memory.PoolArena;
import java.util.Random;

/**
 * A program that prints what heaps and arenas cost at least; docs/user/memory.md has the figures of
 * the second round, since the first one also initializes classes.
 */
final class HeapCosts {
  private static final int HEAPS = 100;

  private HeapCosts() {}

  public static void main(String[] arguments) throws InterruptedException {
    System.out.println("processors: " + Runtime.getRuntime().availableProcessors());
    for (int round = 1; round <= 2; round++) {
      System.out.println("round " + round);
      printAll();
    }
  }

  private static void printAll() throws InterruptedException {
    try (MemoryPool pool = MemoryPool.named("costs").create()) {
      printJavaHeapOfAHeap(pool.owner());
      printCharge(pool, 1, 1, false);
      printCharge(pool, 16, 1, false);
      printCharge(pool, 1, 1000, true);
      printCharge(pool, 4, 250, true);
      printCharge(pool, 16, 6250, true);
      printArena(pool.owner().child("arena").create());
    }
  }

  private static void printJavaHeapOfAHeap(Owner owner) {
    long before = javaHeap();
    BlockHeap[] heaps = new BlockHeap[HEAPS];
    for (int i = 0; i < HEAPS; i++) {
      heaps[i] = owner.openHeap();
    }
    System.out.println("Java heap of a heap: " + (javaHeap() - before) / HEAPS + " bytes");
    for (BlockHeap heap : heaps) {
      heap.close();
    }
  }

  private static void printCharge(MemoryPool pool, int threads, int blocksOfAThread, boolean mixed)
      throws InterruptedException {
    Random random = new Random(1);
    long[] asked = {0};
    Owner owner = pool.owner().child("heap").create();
    BlockHeap heap = owner.openHeap();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int block = 0; block < blocksOfAThread; block++) {
                  int bytes = mixed ? 16 + random.nextInt(2000) : 64;
                  heap.allocate(bytes);
                  asked[0] += bytes;
                }
              });
      thread.start();
      thread.join();
    }
    String sizes = mixed ? "16 to 2015" : "64";
    System.out.printf(
        "%d blocks of %s bytes of %d threads: %d bytes asked for, %d charged%n",
        threads * blocksOfAThread, sizes, threads, asked[0], owner.chargedBytes());
    heap.freeAll();
    heap.close();
    owner.close();
  }

  private static void printArena(Owner owner) {
    try (PoolArena arena = owner.openSharedArena()) {
      arena.allocate(64);
      System.out.println("arena with a block of 64 bytes: " + owner.chargedBytes() + " charged");
    }
  }

  private static long javaHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
