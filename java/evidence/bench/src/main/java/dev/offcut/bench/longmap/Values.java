package dev.offcut.bench.longmap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Values that exist before the measurement, so that what is allocated is the map's alone. In the
 * heap they stay apart from the map, as the values of a program do that runs for long: G1 does less
 * for a reference within one of its regions.
 */
final class Values {
  private static final int CHUNKS = 40;
  private static final int CHUNK_BYTES = 1 << 15;

  private static final List<byte[][]> BETWEEN = new ArrayList<>();

  private Values() {}

  /** So many different ones. */
  static Object[] of(int count) {
    Object[] values = new Object[count];
    keepApart();
    Arrays.setAll(values, i -> new Object());
    keepApart();
    return values;
  }

  /** More than a region of the heaps used here, in objects that a collection moves like others. */
  private static void keepApart() {
    BETWEEN.add(new byte[CHUNKS][CHUNK_BYTES]);
  }
}
