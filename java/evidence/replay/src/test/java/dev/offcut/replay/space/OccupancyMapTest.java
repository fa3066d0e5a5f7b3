package dev.offcut.replay.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OccupancyMapTest {
  private static final int UNIT = 128;
  private static final int UNITS = 500;

  @Test
  void setInUse_randomRegions_agreesWithASetOfBits() {
    OccupancyMap map = new OccupancyMap((long) UNITS * UNIT, UNIT, true);
    BitSet expected = new BitSet();
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      int from = random.nextInt(UNITS);
      int end = from + 1 + random.nextInt(UNITS - from);
      boolean set = random.nextInt(3) == 0;
      map.setInUse((long) from * UNIT, (long) (end - from) * UNIT, set);
      expected.set(from, end, set);
      int at = random.nextInt(UNITS);
      int length = 1 + random.nextInt(UNITS - at);
      int next = expected.nextSetBit(at);
      assertThat(map.isAnyInUse((long) at * UNIT, (long) length * UNIT))
          .as("seed %d, step %d", seed, i)
          .isEqualTo(next >= 0 && next < at + length);
    }
  }

  @Test
  void isStart_setAndCleared_isThatBitAlone() {
    OccupancyMap map = new OccupancyMap(128 * UNIT, UNIT, true);
    map.setStart(63 * UNIT, true);
    map.setStart(64 * UNIT, true);
    map.setStart(63 * UNIT, false);
    assertThat(map.isStart(63 * UNIT)).isFalse();
    assertThat(map.isStart(64 * UNIT)).isTrue();
    assertThat(map.isStart(65 * UNIT)).isFalse();
  }
}
