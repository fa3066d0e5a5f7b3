package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tree against a bit a granule: free chunks are the largest aligned ones between the bits, and
 * what is asked for comes from the tightest; {@code -Doffcut.seed=N} repeats a run.
 */
final class GranuleTreeTest {
  private static final int STEPS = 1_500;

  private record Free(int granule, int count) {}

  private final BitSet free = new BitSet();
  private int perRoot;
  private int granules;
  private int granuleLevel;

  @ParameterizedTest
  @CsvSource({"0, 1", "0, 130", "1, 70", "3, 7", "5, 3", "6, 1", "6, 5", "7, 2", "10, 2"})
  void random_takesAndPuts_agreeWithTheModel(int level, int roots) {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("GranuleTreeTest " + level + " " + roots + ": -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    granuleLevel = level;
    perRoot = 1 << level;
    granules = roots * perRoot;
    GranuleTree tree = new GranuleTree(level, roots);
    for (int step = 0; step < STEPS; step++) {
      // Nearly full, nearly empty, and in turn.
      boolean take = random.nextInt(100) < (step / 200 % 2 == 0 ? 30 : 70);
      if (take) {
        take(tree, random);
      } else {
        put(tree, random);
      }
      tree.verify();
      check(tree);
    }
  }

  private void take(GranuleTree tree, Random random) {
    int level = random.nextInt(granuleLevel + 1);
    int count = perRoot >> level;
    switch (random.nextInt(4)) {
      case 0 -> {
        int first = tree.lowest(level);
        if (first >= 0) {
          assertThat(tree.take(first, level)).isTrue();
          free.clear(first, first + count);
        }
      }
      case 1 -> {
        int first = tree.highest(level);
        if (first >= 0) {
          assertThat(tree.take(first, level)).isTrue();
          free.clear(first, first + count);
        }
      }
      case 2 -> {
        int first = random.nextInt(granules / count) * count;
        boolean all = free.nextClearBit(first) >= first + count;
        assertThat(tree.take(first, level)).isEqualTo(all);
        if (all) {
          free.clear(first, first + count);
        }
      }
      default -> {
        int roots = 1 + random.nextInt(Math.min(4, granules / perRoot));
        int expected = lowestRoots(roots);
        assertThat(tree.takeRoots(roots)).isEqualTo(expected);
        if (expected >= 0) {
          free.clear(expected, expected + roots * perRoot);
        }
      }
    }
  }

  private int lowestRoots(int roots) {
    for (int first = 0; first + roots * perRoot <= granules; first += perRoot) {
      if (free.nextClearBit(first) >= first + roots * perRoot) {
        return first;
      }
    }
    return -1;
  }

  private void put(GranuleTree tree, Random random) {
    int first = free.nextClearBit(random.nextInt(granules));
    if (first >= granules) {
      return;
    }
    int next = free.nextSetBit(first);
    int end = next < 0 ? granules : next;
    int count = 1 + random.nextInt(end - first);
    tree.put(first, count);
    free.set(first, first + count);
  }

  private void check(GranuleTree tree) {
    List<Free> chunks = chunks();
    for (int level = 0; level <= granuleLevel; level++) {
      int count = perRoot >> level;
      int tightest = chunks.stream().mapToInt(Free::count).filter(c -> c >= count).min().orElse(-1);
      List<Free> fit = chunks.stream().filter(chunk -> chunk.count == tightest).toList();
      int lowest = fit.isEmpty() ? -1 : fit.getFirst().granule;
      int highest = fit.isEmpty() ? -1 : fit.getLast().granule + tightest - count;
      assertThat(tree.lowest(level)).isEqualTo(lowest);
      assertThat(tree.highest(level)).isEqualTo(highest);
    }
    int[] at = new int[granules];
    chunks.forEach(chunk -> at[chunk.granule] = chunk.count);
    for (int granule = 0; granule < granules; granule++) {
      assertThat(tree.isFree(granule)).isEqualTo(free.get(granule));
      assertThat(tree.freeAt(granule)).isEqualTo(at[granule]);
    }
  }

  private List<Free> chunks() {
    List<Free> chunks = new ArrayList<>();
    for (int granule = free.nextSetBit(0); granule >= 0; ) {
      int count = perRoot;
      while (granule % count != 0 || free.nextClearBit(granule) < granule + count) {
        count /= 2;
      }
      chunks.add(new Free(granule, count));
      granule = free.nextSetBit(granule + count);
    }
    return chunks;
  }
}
