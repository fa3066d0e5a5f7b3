package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The arithmetic of a granule's word against looking at one leaf after the other. */
final class LeavesTest {
  private static final int WORDS = 20_000;

  /** Sparse, dense, in runs, and the ends. */
  private static List<Long> words(Random random) {
    List<Long> words = new ArrayList<>(List.of(0L, -1L, 1L, Long.MIN_VALUE, 1L << 31, 1L << 32));
    for (int i = 0; i < WORDS; i++) {
      long word = random.nextLong();
      for (int j = random.nextInt(5); j > 0; j--) {
        word = random.nextBoolean() ? word & random.nextLong() : word | random.nextLong();
      }
      if (i % 3 == 0) {
        word = 0;
        for (int at = random.nextInt(32); at < Long.SIZE; at += 1 + random.nextInt(40)) {
          int count = 1 + random.nextInt(Long.SIZE - at);
          word |= Leaves.run(at, count);
          at += count;
        }
      }
      words.add(word);
      words.add(~word);
    }
    return words;
  }

  private static List<Long> seeded() {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("LeavesTest: -Doffcut.seed=" + seed);
    return words(new Random(seed));
  }

  private static boolean isUsed(long use, int leaf) {
    return (use >>> leaf & 1) != 0;
  }

  private static boolean isFree(long use, int at, int count) {
    for (int leaf = at; leaf < at + count; leaf++) {
      if (isUsed(use, leaf)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void sizesFree_and_lowest_areTheLargestThatFit() {
    for (long use : seeded()) {
      int sizes = 0;
      for (int j = 0; j < Leaves.SIZES; j++) {
        int count = 1 << j;
        int lowest = -1;
        for (int at = Long.SIZE - count; at >= 0; at -= count) {
          boolean halfOfLarger = j + 1 < Leaves.SIZES && isFree(use, at & -(2 * count), 2 * count);
          if (isFree(use, at, count) && !halfOfLarger) {
            lowest = at;
          }
        }
        sizes |= lowest < 0 ? 0 : 1 << j;
        check(Leaves.lowest(use, j) == lowest, use, "lowest of size " + j);
      }
      check(Leaves.sizesFree(use) == sizes, use, "sizes free");
    }
  }

  @Test
  void freeBeforeAndFrom_countToTheNextUsedLeaf() {
    for (long use : seeded()) {
      for (int at = 0; at < Long.SIZE; at++) {
        int from = at;
        while (from < Long.SIZE && !isUsed(use, from)) {
          from++;
        }
        check(Leaves.freeFrom(use, at) == from - at, use, "free from " + at);
      }
      for (int at = 0; at <= Long.SIZE; at++) {
        int before = at;
        while (before > 0 && !isUsed(use, before - 1)) {
          before--;
        }
        check(Leaves.freeBefore(use, at) == at - before, use, "free before " + at);
      }
    }
  }

  @Test
  void length_endsAtTheNextChunkOrFreeLeaf() {
    Random random = new Random(1);
    for (long use : seeded()) {
      long start = use & random.nextLong();
      for (int at = 0; at < Long.SIZE; at++) {
        if (!isUsed(start, at)) {
          continue;
        }
        int end = at + 1;
        while (end < Long.SIZE && isUsed(use, end) && !isUsed(start, end)) {
          end++;
        }
        check(Leaves.length(use, start, at) == end - at, use, "length at " + at);
      }
    }
  }

  @Test
  void masks_haveTheirLeavesAndNoOther() {
    for (int at = 0; at < Long.SIZE; at++) {
      for (int count = 1; at + count <= Long.SIZE; count++) {
        for (int leaf = 0; leaf < Long.SIZE; leaf++) {
          boolean inside = leaf >= at && leaf < at + count;
          check(isUsed(Leaves.run(at, count), leaf) == inside, at, "run of " + count);
        }
        if (Integer.bitCount(count) == 1 && count < Long.SIZE) {
          int j = Integer.numberOfTrailingZeros(count);
          assertThat(Leaves.mask(at, j)).isEqualTo(Leaves.run(at, count));
        }
      }
    }
  }

  private static void check(boolean holds, long use, String what) {
    if (!holds) {
      throw new AssertionError(what + " is wrong for 0x" + Long.toHexString(use));
    }
  }
}
