package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The front of a bin, which takes a block back without the lock, while another thread has the lock:
 * the steps of both in the one order in which it counts that the state has the number of locks.
 */
final class BinTest {
  private static final long BASE = 0x7F00_0000_0000L;
  private static final int SLAB_BYTES = 64 << 10;

  /** One slab has two blocks out, the other is empty and may stay. */
  private static final class Try {
    final Bin bin = new Bin();
    final SlabMap map = new SlabMap(SLAB_BYTES);
    final Slab slab = slab(0);
    final Slab empty = slab(1);

    Try() {
      assertThat(slab.allocateBlock()).isEqualTo(1);
      assertThat(free(empty, 0)).isTrue();
    }

    /** Another slab, whose first block is out. */
    private Slab slab(int number) {
      long base = BASE + (long) number * SLAB_BYTES;
      Slab made = new Slab(bin, base, base, SLAB_BYTES / 4, 4);
      made.allocateBlock();
      map.put(made);
      bin.lock();
      assertThat(bin.add(made)).isTrue();
      bin.unlock();
      return made;
    }

    /** As a heap does when a block is to be the front. */
    boolean free(Slab of, int block) {
      return bin.tryKeepFront(of, block, of.address(block)) || freeLocked(of, block);
    }

    /** As a heap does if there is a front already. */
    boolean freeLocked(Slab of, int block) {
      Bin.Freed answer = bin.lockAndFree(of, block, true);
      if (answer == Bin.Freed.EMPTIED) {
        map.remove(of);
      }
      return answer != Bin.Freed.NOT_OUT;
    }

    /** Blocks in use, after the bin was found whole. */
    long used() {
      bin.lock();
      bin.verify(map);
      long bytes = bin.usedBytes();
      bin.unlock();
      return bytes / (SLAB_BYTES / 4);
    }
  }

  /** The block is freed twice, or is the last one of a slab that has to leave the bin. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void setFront_afterAnotherHadTheLock_fails(int otherBlock) {
    Try each = new Try();
    long seen = each.bin.state;
    assertThat(each.bin.mayBeFront(each.slab, 0)).isTrue();
    assertThat(each.freeLocked(each.slab, otherBlock)).isTrue();
    assertThat(each.bin.setFront(seen, each.slab.address(0))).isFalse();
    assertThat(each.free(each.slab, 0)).isEqualTo(otherBlock != 0);
    assertThat(each.used()).isEqualTo(otherBlock == 0 ? 1 : 0);
  }
}
