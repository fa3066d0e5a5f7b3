package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.longmap.Keys.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that were chosen to collide, and keys at regular distances. */
class FloodTest {
  private static final int MANY = 300_000;

  /** A list would take hours. */
  @ParameterizedTest
  @EnumSource
  @Timeout(600)
  void flood_ofOneBucket_endsAndLeavesNothing(Shape shape) {
    ConcurrentLongMap<Integer> map = shape.map();
    for (int i = 0; i < MANY; i++) {
      assertThat(map.put(Keys.colliding(i), i)).isNull();
    }
    assertThat(map.size()).isEqualTo(MANY);
    assertThat(Inside.buckets(map)).isLessThanOrEqualTo(1 << 14); // growing would not help
    for (int i = 0; i < MANY; i++) {
      assertThat(map.get(Keys.colliding(i))).isEqualTo(i);
      assertThat(map.get(Keys.colliding(MANY + i))).isNull();
    }
    for (int i = 0; i < MANY; i++) {
      assertThat(map.remove(Keys.colliding(i))).isEqualTo(i);
    }
    assertThat(Inside.verify(map)).isZero();
    assertThat(Inside.overflowed(map)).isZero();
  }

  @Test
  @Timeout(600)
  void drain_ofAFloodedBucket_givesBackItsRoom() {
    ConcurrentLongMap<Integer> map = new ConcurrentLongMap<>();
    long before = map.retainedBytes();
    for (int i = 0; i < MANY; i++) {
      map.put(Keys.colliding(i), i);
    }
    for (int i = 0; i < MANY; i++) {
      map.remove(Keys.colliding(i));
    }
    assertThat(map.retainedBytes()).isLessThan(2 * before);
  }

  /** As from an allocator: the distance is a power of two, or a size class. */
  @Test
  @Timeout(600)
  void strides_takeNoMoreRoomThanRandomKeys() {
    for (long stride : new long[] {1, 8, 16, 32, 48, 64, 80, 96, 112, 4096, 1 << 20, 1L << 32}) {
      for (long base : new long[] {0, 0x7f12_3456_7010L, -stride * MANY}) {
        ConcurrentLongMap<Integer> map = new ConcurrentLongMap<>();
        for (int i = 0; i < MANY; i++) {
          map.put(base + stride * i, i);
        }
        assertThat(MANY / Inside.buckets(map)).as("load, stride %s", stride).isLessThan(7);
        assertThat(map.retainedBytes() / MANY).as("bytes, stride %s", stride).isLessThan(50);
      }
    }
  }
}
