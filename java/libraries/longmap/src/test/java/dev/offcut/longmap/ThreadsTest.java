package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.longmap.Keys.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads, for a second each; the proofs with chosen interleavings are in another module. */
@Timeout(600)
class ThreadsTest {
  private static final int THREADS = 4;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private static void all(List<Future<?>> tasks) throws InterruptedException, ExecutionException {
    for (Future<?> task : tasks) {
      task.get();
    }
  }

  private Future<?> start(Callable<?> task) {
    return threads.submit(task);
  }

  /** Leaves a hundred. */
  private static long waves(ConcurrentLongMap<Long> map, long thread, int count) {
    for (int wave = 0; wave < count; wave++) {
      for (long i = 0; i < 2_000; i++) {
        assertThat(map.put(key(thread, i), i)).isEqualTo(wave > 0 && i < 100 ? i : null);
      }
      for (long i = 100; i < 2_000; i++) {
        assertThat(map.get(key(thread, i))).isEqualTo(i);
        assertThat(map.remove(key(thread, i))).isEqualTo(i);
      }
    }
    return count;
  }

  private static long key(long thread, long i) {
    return i % 10 == 0 ? Keys.colliding((int) (i * THREADS + thread)) : (i * THREADS + thread) * 48;
  }

  @ParameterizedTest
  @EnumSource
  void traversals_theMapGrowsAndShrinks_showEachStableEntryOnce(Shape shape) throws Exception {
    ConcurrentLongMap<Long> map = shape.map();
    Map<Long, Long> stable = new HashMap<>();
    for (long i = 0; i < 300; i++) {
      stable.put(key(THREADS - 1, i), i);
    }
    stable.forEach(map::put);
    AtomicBoolean done = new AtomicBoolean();
    Future<?> traverser =
        start(
            () -> {
              while (!done.get()) {
                Map<Long, Long> seen = new HashMap<>();
                map.forEach((key, value) -> assertThat(seen.put(key, value)).isNull());
                assertThat(seen).containsAllEntriesOf(stable);
                for (Map.Entry<Long, Long> entry : stable.entrySet()) {
                  assertThat(map.get(entry.getKey())).isEqualTo(entry.getValue());
                }
              }
              return null;
            });
    List<Future<?>> tasks = new ArrayList<>();
    for (int t = 0; t < THREADS - 1; t++) {
      long thread = t;
      tasks.add(start(() -> waves(map, thread, 20)));
    }
    all(tasks);
    done.set(true);
    traverser.get();
    map.removeIf((key, value) -> !stable.containsKey(key));
    assertThat(map.asConcurrentMap()).isEqualTo(stable);
  }

  /**
   * The writer changes the values of some keys; those of the others may not be missed or doubled.
   */
  @Test
  void streams_whileOthersWrite_showEachStableEntryOnce() throws Exception {
    int stable = 500;
    ConcurrentLongMap<Long> map = new ConcurrentLongMap<>(0, 0, true);
    for (long i = 0; i < stable; i++) {
      map.put(key(0, i), -1 - i);
    }
    AtomicBoolean done = new AtomicBoolean();
    Future<Long> writer =
        threads.submit(
            () -> {
              long wrote = 0;
              for (; !done.get(); wrote++) {
                long key = key(1, wrote % 3_000);
                if (wrote / 3_000 % 2 == 0) {
                  map.put(key, wrote);
                } else {
                  map.remove(key);
                }
              }
              return wrote;
            });
    ConcurrentMap<Long, Long> view = map.asConcurrentMap();
    for (int i = 0; i < 200; i++) {
      List<Long> keys = view.keySet().stream().toList();
      assertThat(keys).doesNotHaveDuplicates();
      assertThat(keys.stream().filter(key -> map.getOrDefault(key, 0L) < 0).count())
          .isEqualTo(stable);
      assertThat(view.values().parallelStream().filter(value -> value < 0).distinct().count())
          .isEqualTo(stable);
      assertThat(view.values().stream().filter(value -> value < 0).count()).isEqualTo(stable);
      assertThat(view.entrySet().stream().filter(entry -> entry.getValue() < 0))
          .hasSize(stable)
          .allMatch(entry -> entry.getKey() == key(0, -1 - entry.getValue()));
    }
    done.set(true);
    assertThat(writer.get()).as("writes meanwhile").isGreaterThan(3_000);
  }
}
