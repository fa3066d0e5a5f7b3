package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Patterns that allocators are measured with, after their descriptions. Each leaves no block behind
 * and answers how many it took.
 */
enum Workload {
  /**
   * Larson and Krishnan, 1998: a server. Each thread has an array of blocks of 8 to 999 bytes and
   * replaces one at random, again and again; then it ends and a new thread goes on with its array.
   */
  LARSON {
    @Override
    List<Callable<Long>> tasks(Malloc malloc, int threads, int operations) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        Random random = new Random(thread);
        tasks.add(() -> generations(malloc, random, operations));
      }
      return tasks;
    }

    private static long generations(Malloc malloc, Random random, int operations)
        throws InterruptedException {
      long[] blocks = new long[1_000];
      for (int generation = 0; generation < 10; generation++) {
        Thread thread =
            Thread.ofPlatform().start(() -> replace(malloc, blocks, random, operations / 10));
        thread.join();
      }
      long taken = operations / 10 * 10L;
      for (long block : blocks) {
        if (block != 0) {
          malloc.free(block);
        }
      }
      return taken;
    }

    private static void replace(Malloc malloc, long[] blocks, Random random, int operations) {
      for (int i = 0; i < operations; i++) {
        int victim = random.nextInt(blocks.length);
        if (blocks[victim] != 0) {
          malloc.free(blocks[victim]);
        }
        blocks[victim] = malloc.allocate(8 + random.nextInt(992));
      }
    }
  },

  /** xmalloc-test: one half of the threads takes 64 bytes at a time, the other frees them. */
  XMALLOC {
    private static final int BATCH = 256;
    private static final int BATCHES = 16;

    @Override
    List<Callable<Long>> tasks(Malloc malloc, int threads, int operations) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int pair = 0; pair < Math.max(1, threads / 2); pair++) {
        BlockingQueue<long[]> queue = new ArrayBlockingQueue<>(BATCHES);
        int batches = operations / BATCH;
        tasks.add(() -> produce(malloc, queue, batches));
        tasks.add(() -> consume(malloc, queue, batches));
      }
      return tasks;
    }

    private static long produce(Malloc malloc, BlockingQueue<long[]> queue, int batches)
        throws InterruptedException {
      for (int i = 0; i < batches; i++) {
        long[] batch = new long[BATCH];
        for (int k = 0; k < BATCH; k++) {
          batch[k] = malloc.allocate(64);
          RawMemory.fill(batch[k], 64, (byte) k);
        }
        queue.put(batch);
      }
      return (long) batches * BATCH;
    }

    private static long consume(Malloc malloc, BlockingQueue<long[]> queue, int batches)
        throws InterruptedException {
      for (int i = 0; i < batches; i++) {
        for (long block : queue.take()) {
          malloc.free(block);
        }
      }
      return 0;
    }
  },

  /**
   * cache-scratch, of Hoard: each thread is given a tiny block by the first one, frees it, then
   * takes one and writes to it many times: slow if threads are made to share a line.
   */
  CACHE_SCRATCH {
    private static final int WRITES = 1_000;

    @Override
    List<Callable<Long>> tasks(Malloc malloc, int threads, int operations) {
      List<Callable<Long>> tasks = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        long given = malloc.allocate(1);
        tasks.add(() -> scratch(malloc, given, operations / WRITES));
      }
      return tasks;
    }

    private static long scratch(Malloc malloc, long given, int blocks) {
      malloc.free(given);
      for (int i = 0; i < blocks; i++) {
        long block = malloc.allocate(1);
        for (int k = 0; k < WRITES; k++) {
          byte before = RawMemory.ALL.get(JAVA_BYTE, block);
          RawMemory.ALL.set(JAVA_BYTE, block, (byte) (before + k));
        }
        malloc.free(block);
      }
      return blocks + 1L;
    }
  };

  /** What is measured. */
  interface Malloc {
    long allocate(long bytes);

    void free(long address);

    static Malloc of(BlockHeap heap) {
      return new Malloc() {
        @Override
        public long allocate(long bytes) {
          return heap.allocate(bytes);
        }

        @Override
        public void free(long address) {
          heap.free(address);
        }
      };
    }
  }

  /** What the threads do; each answers how many blocks it took. */
  abstract List<Callable<Long>> tasks(Malloc malloc, int threads, int operations);

  /** Runs it: how many blocks were taken. */
  final long run(Malloc malloc, int threads, int operations)
      throws InterruptedException, ExecutionException {
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      List<Future<Long>> all = new ArrayList<>();
      for (Callable<Long> task : tasks(malloc, threads, operations)) {
        all.add(executor.submit(task));
      }
      long taken = 0;
      for (Future<Long> each : all) {
        taken += each.get();
      }
      return taken;
    }
  }
}
