package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The hash table of slabs against a sorted map; {@code -Doffcut.seed=N} repeats a run. */
final class SlabMapTest {
  private static final int SLAB = 64 << 10;
  private static final int STEPS = 40_000;

  private final TreeMap<Long, Slab> known = new TreeMap<>();
  private final List<Slab> slabs = new ArrayList<>();
  private final SlabMap map = new SlabMap(SLAB);
  private final Bin bin = new Bin();

  /** Addresses close together, and far apart, so that places collide in either way. */
  @ParameterizedTest
  @ValueSource(longs = {300, 1 << 20, 1L << 40})
  void random_putsAndRemoves_agreeWithTheModel(long places) {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("SlabMapTest " + places + ": -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      boolean grows = step / 1000 % 4 < 2;
      if (random.nextInt(100) < (grows ? 60 : 40)) {
        put((1 + random.nextLong(places)) * SLAB, random);
      } else if (!slabs.isEmpty()) {
        remove(random);
      }
      assertAgrees((1 + random.nextLong(places)) * SLAB + random.nextInt(SLAB));
      if (!slabs.isEmpty()) {
        Slab any = slabs.get(random.nextInt(slabs.size()));
        assertAgrees(any.base + random.nextLong(SLAB));
        assertAgrees(any.base);
      }
    }
    for (Slab slab : slabs) {
      assertThat(map.of(slab.base + Math.min(slab.bytes, SLAB) - 1)).isSameAs(slab);
    }
  }

  private void put(long base, Random random) {
    Map.Entry<Long, Slab> before = known.floorEntry(base);
    if (before != null && before.getKey() == base) {
      return;
    }
    int bytes = 16 << random.nextInt(12);
    int blocks = 1 + random.nextInt(SLAB / bytes);
    Slab slab = new Slab(bin, base, base, bytes, blocks);
    map.put(slab);
    known.put(base, slab);
    slabs.add(slab);
  }

  private void remove(Random random) {
    int at = random.nextInt(slabs.size());
    Slab slab = slabs.get(at);
    slabs.set(at, slabs.getLast());
    slabs.removeLast();
    known.remove(slab.base);
    map.remove(slab);
    assertThat(map.of(slab.base)).isNull();
    map.remove(slab); // not known: nothing happens
  }

  private void assertAgrees(long address) {
    assertThat(map.of(address)).as("0x%x", address).isSameAs(expected(address));
  }

  private @Nullable Slab expected(long address) {
    Map.Entry<Long, Slab> before = known.floorEntry(address);
    return before != null && before.getValue().contains(address) ? before.getValue() : null;
  }
}
