package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand times, all threads let the map grow, then shrink; the count is exact each time. */
@Timeout(1_800)
class WavesTest {
  private static final boolean LONG = Boolean.getBoolean("stress.long");
  private static final int WAVES = LONG ? 20_000 : 1_000;
  private static final int THREADS = 4;
  private static final int KEYS = 1_000;
  private static final int STABLE = 50;

  private final ExecutorService pool = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    pool.shutdownNow();
  }

  /** Addresses, interleaved between the threads; some in one bucket, whatever the table. */
  private static long key(int thread, int i) {
    int number = i * THREADS + thread;
    return i % 50 == 0 ? Ground.same(number) : 0x7f00_0000_0000L + 48L * number;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void waves_ofAllThreads_leaveTheExactCount(boolean eager) throws Exception {
    ConcurrentLongMap<Long> map = new ConcurrentLongMap<>(0, 0, eager);
    CyclicBarrier barrier = new CyclicBarrier(THREADS);
    List<Future<Long>> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      threads.add(
          pool.submit(
              () -> {
                try {
                  return waves(map, thread, barrier);
                } finally {
                  barrier.reset(); // if this one failed, the others need not wait
                }
              }));
    }
    long expected = 0;
    for (Future<Long> thread : threads) {
      expected += thread.get();
    }
    assertThat(map.size()).isEqualTo(expected);
    assertThat(map.keys()).hasSize((int) expected).doesNotHaveDuplicates();
    assertIsSmallWhenDrained(map);
  }

  /** No migration is left that never ends. */
  private static void assertIsSmallWhenDrained(ConcurrentLongMap<Long> map) {
    for (int wave = 0; wave < 4; wave++) {
      for (int i = 0; i < 10 * KEYS; i++) {
        map.put(key(0, i), 0L);
      }
      for (int i = 0; i < 10 * KEYS; i++) {
        map.remove(key(0, i));
      }
    }
    map.removeIf((key, value) -> true);
    assertThat(map.size()).isZero();
    assertThat(map.retainedBytes()).isLessThan(20_000); // full, it was 350 kB
  }

  /** Leaves one key in ten waves; returns how many. */
  private static long waves(ConcurrentLongMap<Long> map, int thread, CyclicBarrier barrier)
      throws InterruptedException, BrokenBarrierException {
    long left = 0;
    for (int wave = 0; wave < WAVES; wave++) {
      for (int i = 0; i < KEYS; i++) {
        assertThat(map.put(key(thread, i), (long) i)).isNull();
      }
      barrier.await();
      if (thread == wave % THREADS) {
        assertThat(map.size()).as("crest %s", wave).isEqualTo(THREADS * (KEYS + left));
      }
      barrier.await();
      for (int i = KEYS - 1; i >= 0; i--) {
        assertThat(map.remove(key(thread, i))).isEqualTo(i);
      }
      if (wave % 10 == 0) {
        map.put(-1L - THREADS * left++ - thread, left);
      }
      barrier.await();
      if (thread == wave % THREADS) {
        assertThat(map.size()).as("trough %s", wave).isEqualTo(THREADS * left);
      }
      barrier.await();
    }
    return left;
  }

  /** No barrier: some let it grow while others let it shrink, and one looks at all of it. */
  @Test
  void waves_atOnceWithTraversals_showEachStableEntryOnce() throws Exception {
    ConcurrentLongMap<Long> map = new ConcurrentLongMap<>(0, 0, true);
    for (int i = 0; i < STABLE; i++) {
      map.put(-1 - i, (long) i);
    }
    AtomicBoolean done = new AtomicBoolean();
    Future<Long> traverser = pool.submit(() -> traverse(map, done));
    List<Future<?>> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      threads.add(pool.submit(() -> wavesAtOnce(map, thread)));
    }
    try {
      for (Future<?> thread : threads) {
        thread.get();
      }
    } finally {
      done.set(true);
    }
    assertThat(traverser.get()).isPositive();
    assertThat(map.size()).isEqualTo(STABLE);
    assertIsSmallWhenDrained(map);
  }

  private static void wavesAtOnce(ConcurrentLongMap<Long> map, int thread) {
    for (int wave = 0; wave < WAVES; wave++) {
      int keys = KEYS >> (wave + thread) % 4;
      for (int i = 0; i < keys; i++) {
        assertThat(map.putIfAbsent(key(thread, i), (long) i)).isNull();
      }
      for (int i = 0; i < keys; i++) {
        assertThat(map.remove(key(thread, i), (Object) (long) i)).isTrue();
      }
    }
  }

  private static long traverse(ConcurrentLongMap<Long> map, AtomicBoolean done) {
    long traversals = 0;
    for (; !done.get() || traversals == 0; traversals++) {
      int[] seen = new int[STABLE];
      map.forEach(
          (key, value) -> {
            if (key < 0 && key >= -STABLE) {
              seen[(int) (-1 - key)]++;
            }
          });
      assertThat(seen).containsOnly(1);
      for (int i = 0; i < STABLE; i++) {
        assertThat(map.get(-1 - i)).isEqualTo(i);
      }
    }
    return traversals;
  }
}
