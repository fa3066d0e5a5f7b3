package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that take blocks and free each other's; {@code -Doffcut.seed=N} repeats the choices. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BlockHeapThreadsTest {
  private static final int OPERATIONS = 1_000_000;
  private static final int BLOCKS = 1_000;

  private final long seed = Long.getLong("offcut.seed", System.nanoTime());
  private final MemoryPool pool =
      MemoryPool.named("threads").limit(256 << 20).decay(Duration.ofMillis(2)).create();

  @BeforeEach
  void printSeed() {
    System.out.println("BlockHeapThreadsTest: -Doffcut.seed=" + seed);
  }

  @AfterEach
  void closePool() {
    pool.close();
  }

  static Stream<Hardening> levels() {
    return Stream.of(Hardening.OFF, Hardening.sampled(100), Hardening.FULL);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void twoThreads_freeEachOthersBlocks(Hardening level) throws Exception {
    int operations = level == Hardening.OFF ? OPERATIONS : OPERATIONS / 20;
    try (BlockHeap heap = pool.owner().openHeap(level)) {
      AtomicLongArray shared = new AtomicLongArray(BLOCKS);
      together(
          2,
          thread ->
              Executors.callable(
                  () -> exchange(heap, shared, new Random(seed + thread), operations)));
      PoolInvariants.check(pool);
      freeAll(heap, shared);
      assertThat(heap.usedBytes()).isZero();
      PoolInvariants.check(pool);
    }
  }

  /** No page goes with a block that was handed out meanwhile. */
  @Test
  void trim_whileThreadsExchangeBlocks_losesNothing() throws Exception {
    try (BlockHeap heap = pool.owner().openHeap()) {
      AtomicLongArray shared = new AtomicLongArray(BLOCKS);
      AtomicInteger running = new AtomicInteger(2);
      together(
          3,
          thread ->
              () -> {
                if (thread == 2) {
                  while (running.get() > 0) {
                    pool.trim();
                  }
                } else {
                  try {
                    exchange(heap, shared, new Random(seed + thread), OPERATIONS / 2);
                  } finally {
                    running.decrementAndGet();
                  }
                }
                return null;
              });
      PoolInvariants.check(pool);
      freeAll(heap, shared);
      assertThat(heap.usedBytes()).isZero();
    }
  }

  /** No page goes after its chunk went to another heap. */
  @Test
  void trim_whileAHeapIsCleared_takesNoPageOfAnother() throws Exception {
    try (BlockHeap heap = pool.owner().openHeap();
        BlockHeap cleared = pool.owner().openHeap()) {
      AtomicLongArray shared = new AtomicLongArray(BLOCKS);
      AtomicInteger running = new AtomicInteger(1);
      together(
          3,
          thread ->
              () -> {
                Random random = new Random(seed + thread);
                if (thread == 0) {
                  try {
                    exchange(heap, shared, random, OPERATIONS / 4);
                  } finally {
                    running.decrementAndGet();
                  }
                }
                while (running.get() > 0) {
                  if (thread == 1) {
                    pool.trim();
                  } else {
                    for (int i = 0; i < 100; i++) {
                      cleared.allocate(1 + random.nextInt(30_000));
                    }
                    cleared.freeAll();
                  }
                }
                return null;
              });
      cleared.freeAll();
      freeAll(heap, shared);
      PoolInvariants.check(pool);
    }
  }

  @Test
  void virtualThreads_freeEachOthersBlocks() throws Exception {
    try (BlockHeap heap = pool.owner().openHeap();
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicLongArray shared = new AtomicLongArray(BLOCKS);
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 1_000; thread++) {
        Random random = new Random(seed + thread);
        all.add(executor.submit(() -> exchange(heap, shared, random, 500)));
      }
      for (Future<?> each : all) {
        each.get();
      }
      freeAll(heap, shared);
      PoolInvariants.check(pool);
    }
  }

  /** What is free in another thread's slab is found when there is no memory for one's own. */
  @Test
  void manyThreads_withMemoryForOneSlab_shareIt() throws InterruptedException {
    MemoryPool small = MemoryPool.named("small").limit(64 << 10).create();
    try (small;
        BlockHeap heap = small.owner().openHeap()) {
      AtomicInteger taken = new AtomicInteger();
      for (int i = 0; i < 64; i++) {
        Thread thread =
            Thread.ofPlatform()
                .start(
                    () -> {
                      if (heap.allocate(1024) != 0) {
                        taken.incrementAndGet();
                      }
                    });
        thread.join();
      }
      assertThat(taken).hasValue(64);
      assertThatThrownBy(() -> heap.allocate(1024)).isInstanceOf(MemoryLimitException.class);
      heap.freeAll();
    }
  }

  /** Of several frees of one block one succeeds, also while its slab goes back to the pool. */
  @Test
  void twoThreads_freeTheSameBlock_oneSucceeds() throws Exception {
    try (BlockHeap heap = pool.owner().openHeap()) {
      int rounds = 20_000;
      long[] block = new long[1];
      AtomicInteger freed = new AtomicInteger();
      Random random = new Random(seed);
      CyclicBarrier start =
          new CyclicBarrier(2, () -> block[0] = heap.allocate(1 + random.nextInt(80_000)));
      together(
          2,
          thread ->
              () -> {
                for (int i = 0; i < rounds; i++) {
                  start.await(1, TimeUnit.MINUTES);
                  try {
                    heap.free(block[0]);
                    freed.incrementAndGet();
                  } catch (DoubleFreeException | ForeignFreeException e) {
                    // the other one was first; foreign, while the chunk is between heap and pool
                  }
                }
                return null;
              });
      assertThat(freed).hasValue(rounds);
      assertThat(heap.usedBytes()).isZero();
      PoolInvariants.check(pool);
    }
  }

  /** Puts a new block where another was, and frees that one, whoever took it. */
  private static void exchange(
      BlockHeap heap, AtomicLongArray shared, Random random, int operations) {
    for (int i = 0; i < operations; i++) {
      long bytes = 16L + random.nextInt(random.nextInt(50) == 0 ? 100_000 : 1_000);
      long address = heap.allocate(bytes);
      long usable = heap.bytesOf(address);
      RawMemory.ALL.set(JAVA_LONG_UNALIGNED, address, address);
      RawMemory.ALL.set(JAVA_LONG_UNALIGNED, address + usable - 8, ~address);
      free(heap, shared.getAndSet(random.nextInt(shared.length()), address));
    }
  }

  private static void freeAll(BlockHeap heap, AtomicLongArray shared) {
    for (int i = 0; i < BLOCKS; i++) {
      free(heap, shared.get(i));
    }
  }

  private static void free(BlockHeap heap, long address) {
    if (address != 0) {
      long usable = heap.bytesOf(address);
      assertThat(RawMemory.ALL.get(JAVA_LONG_UNALIGNED, address)).isEqualTo(address);
      assertThat(RawMemory.ALL.get(JAVA_LONG_UNALIGNED, address + usable - 8)).isEqualTo(~address);
      heap.free(address);
    }
  }

  /** The work of so many threads at once, each with its number; throws what any of it throws. */
  static void together(int threads, IntFunction<Callable<?>> work) throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        all.add(executor.submit(work.apply(thread)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }
}
