package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.longmap.Keys.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of one bucket, and the room of a new map. What operations return, ModelTest compares. */
class OneKeyTest {
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
