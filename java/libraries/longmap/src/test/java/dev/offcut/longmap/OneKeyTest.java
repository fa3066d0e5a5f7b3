package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.longmap.Keys.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the operations on one key return and leave, without functions: those are elsewhere. */
class OneKeyTest {
  /** Equal, not the same. */
  private static String copy(String value) {
    return new String(value);
  }

  @ParameterizedTest
  @EnumSource
  void put_specialKeys_eachHasItsValue(Shape shape) {
    ConcurrentLongMap<String> map = shape.map();
    for (long key : Keys.SPECIAL) {
      assertThat(map.put(key, "old " + key)).isNull();
      assertThat(map.put(key, "new " + key)).isEqualTo("old " + key);
    }
    for (long key : Keys.SPECIAL) {
      assertThat(map.get(key)).isEqualTo("new " + key);
      assertThat(map.containsKey(key)).isTrue();
      assertThat(map.getOrDefault(key, "other")).isEqualTo("new " + key);
    }
    assertThat(Inside.verify(map)).isEqualTo(Keys.SPECIAL.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 15, 16, 40})
  void putAndRemove_keysOfOneBucketAndTag_eachHasItsValue(int count) {
    ConcurrentLongMap<Integer> map = Shape.ONE_BUCKET.map();
    for (int i = 0; i < count; i++) {
      assertThat(map.put(Keys.colliding(i), i)).isNull();
      assertThat(map.put(Keys.colliding(i), i + 1)).isEqualTo(i);
      assertThat(map.get(Keys.colliding(count))).isNull(); // absent, in a full overflow too
    }
    assertThat(Inside.verify(map)).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(map.remove(Keys.colliding(i))).isEqualTo(i + 1);
      for (int j = i + 1; j < count; j++) {
        assertThat(map.get(Keys.colliding(j))).isEqualTo(j + 1);
      }
    }
    assertThat(Inside.verify(map)).isZero();
    assertThat(Inside.overflowed(map)).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void replace_equalNotTheSame_isDoneAndTrue(Shape shape) {
    ConcurrentLongMap<String> map = shape.map();
    assertThat(map.replace(0, "a", "b")).isFalse();
    assertThat(map.get(0)).isNull();
    map.put(0, "a");
    assertThat(map.replace(0, "b", "c")).isFalse();
    assertThat(map.get(0)).isEqualTo("a");
    assertThat(map.replace(0, copy("a"), "c")).isTrue();
    assertThat(map.get(0)).isEqualTo("c");
  }

  @ParameterizedTest
  @EnumSource
  void removeWithValue_equalNotTheSame_isDoneAndTrue(Shape shape) {
    ConcurrentLongMap<String> map = shape.map();
    assertThat(map.remove(0, "a")).isFalse();
    map.put(0, "a");
    assertThat(map.remove(0, "b")).isFalse();
    assertThat(map.remove(0, null)).isFalse();
    assertThat(map.get(0)).isEqualTo("a");
    assertThat(map.remove(0, copy("a"))).isTrue();
    assertThat(map.get(0)).isNull();
    assertThat(map.remove(0, "a")).isFalse();
  }

  @Test
  void writes_ofNull_areRefusedAndChangeNothing() {
    ConcurrentLongMap<String> map = new ConcurrentLongMap<>();
    map.put(0, "a");
    for (long key : new long[] {0, 1}) {
      assertThatThrownBy(() -> map.put(key, null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.putIfAbsent(key, null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.replace(key, null)).isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.replace(key, null, "b"))
          .isInstanceOf(NullPointerException.class);
      assertThatThrownBy(() -> map.replace(key, "a", null))
          .isInstanceOf(NullPointerException.class);
    }
    assertThat(map.asConcurrentMap()).hasSize(1).containsEntry(0L, "a");
  }

  @Test
  void new_expectedIsNegative_isRefused() {
    assertThatThrownBy(() -> new ConcurrentLongMap<String>(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 32, 33, 1000, 100_000})
  void new_withRoom_keepsItsTable(int expected) {
    ConcurrentLongMap<Object> map = new ConcurrentLongMap<>(expected);
    int buckets = Inside.buckets(map);
    assertThat(4L * buckets).isGreaterThanOrEqualTo(expected);
    for (int i = 0; i < expected; i++) {
      map.put(48L * i, map);
    }
    assertThat(Inside.buckets(map)).isEqualTo(buckets);
    assertThat(Inside.isResizing(map)).isFalse();
    for (int i = 0; i < expected; i++) {
      map.remove(48L * i);
    }
    assertThat(Inside.buckets(map)).isEqualTo(buckets);
    assertThat(Inside.verify(map)).isZero();
  }
}
