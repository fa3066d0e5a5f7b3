package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.offcut.longmap.Keys.Shape;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the map allocates, holds, and lets go. */
@Timeout(600)
class MemoryTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int MILLION = 1_000_000;
  private static final String VALUE = "value";

  /** Bytes that this thread has allocated. */
  private static long allocated() {
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static long address(int i) {
    return 0x7f00_0000_0000L + 48L * i;
  }

  private static ConcurrentLongMap<String> filled(int count) {
    ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
    for (int i = 0; i < count; i++) {
      map.put(-address(i), VALUE);
    }
    return map;
  }

  @Test
  void putGetRemove_hotKeys_allocateNothing() {
    for (int background : new int[] {0, 1_000, 10_000}) {
      ConcurrentLongMap<String> map = filled(background);
      hot(map, 20_000); // links, and meets each bucket once
      long before = allocated();
      hot(map, 200_000);
      assertThat(allocated() - before).as("on %s", background).isZero();
    }
  }

  /** 16 addresses, the last one freed is the next one used. */
  private static void hot(ConcurrentLongMap<String> map, int rounds) {
    for (int i = 0; i < rounds; i++) {
      int depth = 1 + (i & 15);
      for (int j = 0; j < depth; j++) {
        map.put(address(j), VALUE);
        map.get(address(j + 1));
      }
      for (int j = depth - 1; j >= 0; j--) {
        map.remove(address(j));
      }
    }
  }

  @Test
  void otherOperations_onAPresentKey_allocateNothing() {
    ConcurrentLongMap<String> map = filled(1_000);
    long key = -address(5);
    long before = 0;
    for (int i = 0; i < 40_000; i++) {
      if (i == 20_000) {
        before = allocated();
      }
      map.putIfAbsent(key, VALUE);
      map.replace(key, VALUE);
      map.replace(key, VALUE, VALUE);
      map.computeIfAbsent(key, k -> null);
      map.compute(key, (k, v) -> v);
      map.containsKey(key + 1);
      map.getOrDefault(key, VALUE);
      map.remove(key, "other");
      map.estimatedSize();
      map.size();
    }
    assertThat(allocated() - before).isZero();
  }

  @Test
  void putRemove_addressesThatNeverRepeat_allocateNothingAndHoldAsMuch() {
    int window = 1_024;
    ConcurrentLongMap<String> map = filled(10_000);
    long before = 0;
    long held = 0;
    int warm = 4 * MILLION;
    for (int i = 0; i < warm + 2 * MILLION; i++) {
      if (i == warm) {
        before = allocated();
        held = map.retainedBytes();
      }
      map.put(address(i), VALUE);
      if (i >= window) {
        map.remove(address(i - window));
      }
    }
    // None a pair: now and then, some bucket is crowded for the first time.
    assertThat((allocated() - before) / MILLION).isZero();
    assertThat(map.retainedBytes()).isLessThan(held + held / 50);
  }

  @Test
  void burstAndDrain_holdAsBefore() {
    ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
    long before = map.retainedBytes();
    for (int wave = 0; wave < 3; wave++) {
      for (int i = 0; i < MILLION; i++) {
        map.put(address(i), VALUE);
      }
      assertThat(map.retainedBytes() / MILLION).isBetween(20L, 50L);
      for (int i = 0; i < MILLION; i++) {
        map.remove(address(i));
      }
      assertThat(map.isEmpty()).isTrue();
      assertThat(map.retainedBytes()).isLessThan(20 * before);
    }
  }

  @Test
  void drainInRandomOrder_holdsInProportion() {
    long seed = Long.getLong("longmap.seed", System.nanoTime());
    System.out.println("MemoryTest: -Dlongmap.seed=" + seed);
    Random random = new Random(seed);
    ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
    long[] keys = random.longs(MILLION).toArray();
    for (long key : keys) {
      map.put(key, VALUE);
    }
    for (int i = 0; i < MILLION - 1_000; i++) {
      map.remove(keys[i]);
    }
    // Half an entry a bucket is kept, and a quarter while the next smaller table is filled.
    assertThat(map.retainedBytes()).isLessThan(1_000 * 96 * 8);
    assertThat(map.size()).isEqualTo(1_000);
  }

  @Test
  void retainedBytes_areAboutWhatIsHeld() {
    Runtime runtime = Runtime.getRuntime();
    List<ConcurrentLongMap<String>> maps = new ArrayList<>();
    long[] used = new long[2];
    for (int i = 0; i < 2; i++) {
      System.gc();
      used[i] = runtime.totalMemory() - runtime.freeMemory();
      maps.add(filled(i == 0 ? MILLION : 0));
    }
    long held = used[1] - used[0];
    assertThat(maps.get(0).retainedBytes()).isBetween(held * 4 / 5, held * 5 / 4);
  }

  @Test
  void removedAndReplacedValues_areCollected() {
    for (Shape shape : Shape.values()) {
      ConcurrentLongMap<Object> map = shape.map();
      List<WeakReference<Object>> gone = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        long key = i % 2 == 0 ? Keys.colliding(i) : address(i);
        map.put(key, new Object());
        gone.add(new WeakReference<>(map.get(key)));
        map.put(key, new Object());
        gone.add(new WeakReference<>(map.get(key)));
      }
      for (int i = 0; i < 300; i++) {
        map.remove(i % 2 == 0 ? Keys.colliding(i) : address(i));
      }
      map.put(0, VALUE);
      awaitCollected(gone);
      assertThat(map.get(0)).isSameAs(VALUE);
    }
  }

  private static void awaitCollected(List<WeakReference<Object>> gone) {
    for (WeakReference<Object> reference : gone) {
      while (reference.get() != null) {
        System.gc(); // ended by @Timeout
      }
    }
  }
}
