package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.longmap.Keys.Shape;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations on the map and on a HashMap: same results, same entries, a whole inside. */
class ModelTest {
  private static final int OPERATIONS = 60_000;
  private static final int LOOK_EVERY = 2_000;

  private final Map<Long, Integer> model = new HashMap<>();
  private final long seed = Long.getLong("longmap.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @ParameterizedTest
  @EnumSource
  void randomOperations_giveTheResultsOfAHashMap(Shape shape) {
    System.out.println("ModelTest " + shape + ": -Dlongmap.seed=" + seed);
    ConcurrentLongMap<Integer> map = shape.map();
    int room = 0;
    for (int i = 0; i < OPERATIONS; i++) {
      if (i % LOOK_EVERY == 0) {
        room = 1 << random.nextInt(12); // so that the map grows and shrinks
        look(map);
      }
      long key = key(random.nextInt(room));
      if (model.size() > room && random.nextBoolean()) {
        key = model.keySet().iterator().next();
        assertThat(map.remove(key)).isEqualTo(model.remove(key));
      }
      step(map, key);
    }
    look(map);
  }

  /** A third each: keys of one bucket, extreme ones, addresses. */
  private static long key(int i) {
    return switch (i % 3) {
      case 0 -> Keys.colliding(i);
      case 1 -> Keys.SPECIAL[i % 7] + i / 7;
      default -> 0x7f00_0000_0000L + 48L * i;
    };
  }

  private void look(ConcurrentLongMap<Integer> map) {
    assertThat(Inside.verify(map)).as("seed %s", seed).isEqualTo(model.size());
    assertThat(map.size()).as("seed %s", seed).isEqualTo(model.size());
    assertThat(map.isEmpty()).as("seed %s", seed).isEqualTo(model.isEmpty());
    assertThat(map.keys()).as("seed %s", seed).hasSize(model.size());
    assertThat(map.asConcurrentMap()).as("seed %s", seed).isEqualTo(model);
  }

  private void step(ConcurrentLongMap<Integer> map, long key) {
    int value = random.nextInt(4);
    int other = random.nextInt(4);
    BiFunction<Integer, Integer, Integer> join = (x, y) -> x + y > 5 ? null : x + y;
    Object expected;
    Object actual;
    int operation = random.nextInt(15);
    switch (operation) {
      case 0, 1, 2 -> {
        expected = model.put(key, value);
        actual = map.put(key, value);
      }
      case 3 -> {
        expected = model.putIfAbsent(key, value);
        actual = map.putIfAbsent(key, value);
      }
      case 4, 5 -> {
        expected = model.remove(key);
        actual = map.remove(key);
      }
      case 6 -> {
        expected = model.remove(key, value);
        actual = map.remove(key, (Object) value);
      }
      case 7 -> {
        expected = model.replace(key, value);
        actual = map.replace(key, value);
      }
      case 8 -> {
        expected = model.replace(key, value, other);
        actual = map.replace(key, value, other);
      }
      case 9 -> {
        expected = model.computeIfAbsent(key, k -> value == 0 ? null : (Integer) value);
        actual = map.computeIfAbsent(key, k -> value == 0 ? null : (Integer) value);
      }
      case 10 -> {
        expected = model.computeIfPresent(key, (k, v) -> join.apply(v, value));
        actual = map.computeIfPresent(key, (k, v) -> join.apply(v, value));
      }
      case 11 -> {
        expected = model.compute(key, (k, v) -> v == null ? (Integer) value : join.apply(v, value));
        actual = map.compute(key, (k, v) -> v == null ? (Integer) value : join.apply(v, value));
      }
      case 12 -> {
        expected = model.merge(key, value, join);
        actual = map.merge(key, value, join);
      }
      case 13 -> {
        expected = model.containsKey(key);
        actual = map.containsKey(key);
      }
      default -> {
        expected = model.getOrDefault(key, value);
        actual = map.getOrDefault(key, value);
      }
    }
    if (!Objects.equals(actual, expected)) {
      throw new AssertionError(
          "operation " + operation + ": " + actual + ", not " + expected + ", seed " + seed);
    }
    if (random.nextInt(5_000) == 0) {
      all(map);
    }
  }

  private void all(ConcurrentLongMap<Integer> map) {
    switch (random.nextInt(3)) {
      case 0 -> {
        boolean any = model.values().removeIf(value -> value % 2 == 0);
        assertThat(map.removeIf((key, value) -> value % 2 == 0)).isEqualTo(any);
      }
      case 1 -> {
        model.clear();
        map.clear();
      }
      default -> {
        Iterator<Map.Entry<Long, Integer>> entries = map.asConcurrentMap().entrySet().iterator();
        while (entries.hasNext()) {
          Map.Entry<Long, Integer> entry = entries.next();
          if (entry.getValue() % 2 != 0) {
            entries.remove();
            model.remove(entry.getKey());
          } else {
            entry.setValue(3);
            model.put(entry.getKey(), 3);
          }
        }
      }
    }
  }
}
