package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.longmap.Keys.Shape;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What looks at all entries, by one thread: also while the function changes the map. */
@Timeout(600)
class TraversalTest {
  /** Keys of all kinds, with their hashes as values; some share a bucket whatever the table. */
  private static Map<Long, Long> fill(ConcurrentLongMap<Long> map, int count) {
    Map<Long, Long> entries = new HashMap<>();
    for (int i = 0; i < count; i++) {
      long key = i % 10 == 0 ? Keys.colliding(i) : i < 20 ? Keys.SPECIAL[i % 7] : 48L * i;
      entries.put(key, Keys.hash(key));
      map.put(key, Keys.hash(key));
    }
    return entries;
  }

  @ParameterizedTest
  @EnumSource
  void estimatedSize_isAboutTheSize(Shape shape) {
    ConcurrentLongMap<Long> map = shape.map();
    assertThat(map.estimatedSize()).isZero();
    for (int i = 0; i < 200_000; i++) {
      map.put(16L * i, 0L);
      if (i % 20_000 == 0 && i > 0) {
        // 1024 buckets of four: a fortieth off is usual, a sixth is not
        assertThat(map.estimatedSize()).isBetween(i * 5L / 6, i * 7L / 6);
      }
    }
  }

  @Test
  void removeIf_keysOfOneBucket_missesNoneThatMovesUp() {
    for (int count = 1; count < 60; count++) {
      ConcurrentLongMap<Integer> map = Shape.ONE_BUCKET.map();
      for (int i = 0; i < count; i++) {
        map.put(Keys.colliding(i), i);
      }
      map.removeIf((key, value) -> value % 2 == 0);
      assertThat(map.asConcurrentMap().values())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, count).filter(i -> i % 2 != 0).boxed().toList());
    }
  }

  @Test
  void removeIf_valueChangesAfterTheLook_staysWithTheNewOne() {
    ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
    map.put(0, "a");
    boolean any =
        map.removeIf(
            (key, value) -> {
              map.put(key, "b");
              return true;
            });
    assertThat(any).isFalse();
    assertThat(map.get(0)).isEqualTo("b");
  }

  @Test
  void clear_ofAMillion_givesBackTheirRoom() {
    ConcurrentLongMap<Long> map = new ConcurrentLongMap<>();
    long before = map.retainedBytes();
    for (int i = 0; i < 1_000_000; i++) {
      map.put(48L * i, 0L);
    }
    assertThat(map.retainedBytes()).isGreaterThan(20_000_000);
    map.clear();
    assertThat(map.size()).isZero();
    assertThat(map.retainedBytes()).isLessThan(2 * before);
  }

  @ParameterizedTest
  @EnumSource
  void forEach_functionGrowsAndShrinksTheMap_showsEachStableEntryOnce(Shape shape) {
    ConcurrentLongMap<Long> map = shape.map();
    Map<Long, Long> stable = fill(map, 200);
    Map<Long, Integer> seen = new HashMap<>();
    int[] step = {0};
    map.forEach(
        (key, value) -> {
          assertThat(value).isEqualTo(Keys.hash(key));
          seen.merge(key, 1, Integer::sum);
          wave(map, step[0]++);
        });
    assertThat(seen.keySet()).containsAll(stable.keySet());
    assertThat(seen.values()).containsOnly(1);
  }

  /** Puts a thousand others at one step, and removes them at the next. */
  private static void wave(ConcurrentLongMap<Long> map, int step) {
    if (step < 40) {
      for (int i = 0; i < 1_000; i++) {
        long key = -9L - 32L * i;
        if (step % 2 == 0) {
          map.put(key, Keys.hash(key));
        } else {
          map.remove(key);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void iterator_theMapGrowsAndShrinks_showsEachStableEntryOnce(Shape shape) {
    ConcurrentLongMap<Long> map = shape.map();
    Map<Long, Long> stable = fill(map, 100);
    Iterator<Map.Entry<Long, Long>> iterator = map.asConcurrentMap().entrySet().iterator();
    Map<Long, Integer> seen = new HashMap<>();
    for (int step = 0; iterator.hasNext(); step++) {
      Map.Entry<Long, Long> entry = iterator.next();
      assertThat(entry.getValue()).isEqualTo(Keys.hash(entry.getKey()));
      seen.merge(entry.getKey(), 1, Integer::sum);
      wave(map, step);
    }
    assertThat(seen.keySet()).containsAll(stable.keySet());
    assertThat(seen.values()).containsOnly(1);
  }
}
