package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Slabs of every size class: which block an address begins, and which one is next. */
final class SlabTest {
  private static final long BASE = 0x7F00_0000_0000L;

  @ParameterizedTest
  @CsvSource({"4194304, 1024", "16384, 256", "32768, 512"})
  void everyClass_everyAddress_isTheBlockThatItBegins(long rootBytes, int leafBytes) {
    SizeClasses classes = new SizeClasses(new Geometry(rootBytes, leafBytes));
    for (int sizeClass = 0; sizeClass < classes.count(); sizeClass++) {
      int bytes = classes.bytes(sizeClass);
      Slab slab = new Slab(new Bin(), BASE, BASE, bytes, (int) (classes.slabBytes() / bytes));
      assertThat(slab.bytes).isLessThanOrEqualTo(classes.slabBytes());
      for (int offset = 0; offset < slab.bytes; offset++) {
        int block = offset % bytes == 0 ? offset / bytes : -1;
        check(slab.blockAt(BASE + offset) == block, slab, offset);
        check(slab.contains(BASE + offset), slab, offset);
        check(block < 0 || slab.address(block) == BASE + offset, slab, offset);
      }
      check(!slab.contains(BASE - 1), slab, -1);
      check(!slab.contains(BASE + slab.bytes), slab, slab.bytes);
      takeAndGive(slab);
    }
  }

  private static void check(boolean holds, Slab slab, long offset) {
    if (!holds) {
      throw new AssertionError(slab + ": wrong at offset " + offset);
    }
  }

  /** The lowest free one is next, whatever came back. */
  private static void takeAndGive(Slab slab) {
    BitSet out = new BitSet();
    Random random = new Random(slab.blockBytes);
    for (int step = 0; step < 3 * slab.blocks + 100; step++) {
      if (out.cardinality() < slab.blocks && random.nextInt(100) < 60) {
        int lowest = out.nextClearBit(0);
        assertThat(slab.allocateBlock()).isEqualTo(lowest);
        out.set(lowest);
      } else if (!out.isEmpty()) {
        int some = out.previousSetBit(random.nextInt(slab.blocks));
        int block = some < 0 ? out.nextSetBit(0) : some;
        slab.freeBlock(block);
        out.clear(block);
        assertThat(slab.isFree(block)).isTrue();
      }
      assertThat(slab.used).isEqualTo(out.cardinality());
      assertThat(slab.isFull()).isEqualTo(out.cardinality() == slab.blocks);
    }
    slab.verify();
    slab.freeAll();
    slab.verify();
    assertThat(slab.used).isZero();
  }
}
