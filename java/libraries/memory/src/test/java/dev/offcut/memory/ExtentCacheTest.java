package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extents of closed arenas: which are kept, for whom, how many bytes, and for how long. */
final class ExtentCacheTest {
  private static final long LEAF = 1 << 10;

  private static MemoryPool pool() {
    return PoolInvariants.pool("extents").create();
  }

  /** One whose arenas grow by what is asked for, if that is a power of two. */
  private static Owner owner(MemoryPool pool) {
    return pool.owner().child("owner").arenaGrowth(LEAF, LEAF).create();
  }

  private static void use(Owner owner, long bytes) {
    try (PoolArena arena = owner.openArena()) {
      arena.allocate(bytes);
    }
  }

  private static void assertKept(MemoryPool pool, long bytes) {
    assertThat(pool.snapshot().keptBytes()).isEqualTo(bytes);
    PoolInvariants.check(pool);
  }

  /** What is kept is what the arena had; an open arena has it, and nothing is kept. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8, 64, 128})
  void extent_isKeptWhileItsArenaIsClosed_andOnlyThen(int leaves) {
    try (MemoryPool pool = pool()) {
      Owner owner = owner(pool);
      long first = 0;
      for (int turn = 0; turn < 3; turn++) {
        PoolArena arena = owner.openArena();
        long address = arena.allocate(leaves * LEAF).address();
        first = turn == 0 ? address : first;
        assertThat(address).isEqualTo(first);
        assertKept(pool, 0);
        assertThat(pool.snapshot().handedOutBytes()).isEqualTo(leaves * LEAF);
        arena.close();
        assertKept(pool, leaves * LEAF);
        assertThat(pool.snapshot().handedOutBytes()).isEqualTo(leaves * LEAF);
        assertThat(pool.snapshot().usedBytes()).isZero();
      }
    }
  }

  @Test
  void extent_largerThanWhatIsKept_goesToItsRegion() {
    try (MemoryPool pool = pool()) {
      Owner owner = owner(pool);
      use(owner, Settings.MOST_KEPT_BYTES + LEAF);
      assertKept(pool, 0);
      assertThat(pool.snapshot().handedOutBytes()).isZero();
    }
  }

  /** One that is too small is not left behind beside the larger one that replaces it. */
  @Test
  void extent_tooSmallForTheNextArena_isGivenBack() {
    try (MemoryPool pool = pool()) {
      Owner owner = owner(pool);
      use(owner, LEAF);
      assertKept(pool, LEAF);
      try (PoolArena arena = owner.openArena()) {
        arena.allocate(4 * LEAF);
        assertKept(pool, 0);
        assertThat(pool.snapshot().handedOutBytes()).isEqualTo(4 * LEAF);
      }
      assertKept(pool, 4 * LEAF);
    }
  }

  @Test
  void extent_keptForTwoTurns_goesToItsRegion_andIsYoungAgainWhenItWasUsed() {
    try (MemoryPool pool = pool()) {
      Owner owner = owner(pool);
      for (int i = 0; i < 3; i++) {
        use(owner, 2 * LEAF);
        pool.decay();
        assertKept(pool, 2 * LEAF);
      }
      pool.decay();
      assertKept(pool, 0);
      assertThat(pool.snapshot().handedOutBytes()).isZero();
    }
  }

  @Test
  void trim_freesWhatIsKept_andNotWhatAnArenaUses() {
    try (MemoryPool pool = pool()) {
      Owner owner = owner(pool);
      PoolArena used = owner.openArena();
      used.allocate(LEAF);
      use(owner, LEAF);
      assertKept(pool, LEAF);
      pool.trim();
      assertKept(pool, 0);
      assertThat(pool.snapshot().handedOutBytes()).isEqualTo(LEAF);
      used.close();
      assertKept(pool, LEAF);
    }
  }
}
