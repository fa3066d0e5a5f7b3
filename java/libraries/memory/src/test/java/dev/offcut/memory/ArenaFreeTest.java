package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks given back before their arena is closed: which ones come again, and in which order. */
final class ArenaFreeTest {
  private static final int GRANULE = Geometry.DEFAULT.granuleBytes();

  private final MemoryPool pool = MemoryPool.named("free").decay(Duration.ofHours(1)).create();

  @AfterEach
  void closePool() {
    pool.verify();
    pool.close();
  }

  private static MemorySegment filled(MemorySegment block) {
    return block.fill((byte) 0x77);
  }

  private static void assertZero(MemorySegment block) {
    assertThat(block.mismatch(MemorySegment.ofArray(new byte[(int) block.byteSize()])))
        .isEqualTo(-1);
  }

  /** Nothing is written to it, so it takes no memory. */
  @Test
  void blockOfMoreThan32GiB_isFreedAndComesAgain() {
    long bytes = (33L << 30) + 100;
    try (PoolArena arena = pool.owner().openArena()) {
      MemorySegment large = arena.allocateUninitialized(bytes, 16);
      MemorySegment small = filled(arena.allocate(64));
      assertThat(large.asOverlappingSlice(small)).isEmpty();
      arena.free(large);
      assertThatThrownBy(() -> arena.free(large)).isInstanceOf(DoubleFreeException.class);
      assertThatThrownBy(() -> arena.free(large.asSlice(bytes - 100)))
          .isInstanceOf(DoubleFreeException.class);
      MemorySegment again = arena.allocateUninitialized(bytes, 16);
      assertThat(again.address()).isEqualTo(large.address());
      arena.free(again);
      MemorySegment part = arena.allocateUninitialized(32L << 30, 16);
      assertThat(part.address()).isEqualTo(large.address());
      assertThat(arena.allocate(64).asOverlappingSlice(part)).isEmpty();
      assertThat(filled(small).get(ValueLayout.JAVA_BYTE, 63)).isEqualTo((byte) 0x77);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        1, 15, 16, 17, 31, 32, 48, 100, 496, 511, 512, 513, 640, 1000, 1024, 4096, 5000, 8192,
        65_536, 100_000, 1 << 20, 5 << 20
      })
  void sameSize_comesAgainAtTheSameAddress(int bytes) {
    for (int place = 0; place < 3; place++) {
      try (PoolArena arena = pool.owner().openArena()) {
        List<MemorySegment> blocks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          blocks.add(filled(arena.allocate(bytes)));
        }
        MemorySegment block = blocks.get(place);
        for (int round = 0; round < 3; round++) {
          arena.free(block);
          MemorySegment again = arena.allocate(bytes);
          assertThat(again.address()).isEqualTo(block.address());
          assertThat(again.byteSize()).isEqualTo(bytes);
          assertZero(again);
          block = filled(again);
        }
        for (int i = 0; i < 3; i++) {
          MemorySegment one = i == place ? block : blocks.get(i);
          for (long at = 0; at < bytes; at += Math.max(1, bytes / 64)) {
            assertThat(one.get(ValueLayout.JAVA_BYTE, at)).isEqualTo((byte) 0x77);
          }
        }
      }
      pool.verify();
    }
  }

  @Test
  void smaller_areCutFromIt_withNothingLost() {
    try (PoolArena arena = pool.owner().openArena()) {
      for (int bytes : new int[] {1024, 4096, 48 << 10}) {
        MemorySegment block = filled(arena.allocate(bytes));
        filled(arena.allocate(16));
        arena.free(block);
        for (long at = 0; at < bytes; ) {
          long some = Math.min(bytes - at, 16 + at / 3 / 16 * 16);
          MemorySegment part = arena.allocate(some);
          assertThat(part.address()).isEqualTo(block.address() + at);
          assertZero(part);
          filled(part);
          at += some;
        }
        // All of it is out again.
        assertThat(block.asOverlappingSlice(arena.allocate(16))).isEmpty();
      }
    }
  }

  @Test
  void lastFreed_isFirstUsed() {
    try (PoolArena arena = pool.owner().openArena()) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        blocks.add(arena.allocate(96));
      }
      Collections.shuffle(blocks, new Random(40));
      blocks.forEach(arena::free);
      for (MemorySegment block : blocks.reversed()) {
        assertThat(arena.allocate(96).address()).isEqualTo(block.address());
      }
    }
  }

  @Test
  void tightest_isTakenFirst() {
    try (PoolArena arena = pool.owner().openArena()) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int units : new int[] {30, 3, 8, 5, 20, 12}) {
        blocks.add(arena.allocate(16L * units));
        arena.allocate(16);
      }
      blocks.forEach(arena::free);
      for (int at : new int[] {1, 3, 2, 5, 4, 0}) {
        MemorySegment block = blocks.get(at);
        assertThat(arena.allocate(block.byteSize() - 16).address()).isEqualTo(block.address());
        assertThat(arena.allocate(16).address())
            .as("what was left over")
            .isEqualTo(block.address() + block.byteSize() - 16);
      }
    }
  }

  @Test
  void alignment_isKept_alsoInWhatWasFreed() {
    try (PoolArena arena = pool.owner().openArena()) {
      MemorySegment odd = arena.allocate(16);
      MemorySegment block = arena.allocate(496, 16);
      assertThat(block.address() % 512).isNotZero();
      arena.free(block);
      MemorySegment aligned = arena.allocate(256, 512);
      assertThat(aligned.address() % 512).isZero();
      assertThat(arena.allocate(496, 16).address()).isEqualTo(block.address());
      arena.free(odd);
      assertThat(arena.allocate(16, 16).address()).isEqualTo(odd.address());
    }
  }

  /** The arena may take no more than one granule: what does not fit is not there. */
  @ParameterizedTest
  @ValueSource(ints = {16, 64, 112, 1008, 1024, 4000})
  void freedInAnyOrder_neighboursAreOne(int bytes) {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("ArenaFreeTest " + bytes + ": -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    Owner owner = pool.owner().child("granule " + bytes).hardLimit(GRANULE).create();
    try (PoolArena arena = owner.openArena()) {
      long first = 0;
      for (int round = 0; round < 4; round++) {
        List<MemorySegment> blocks = new ArrayList<>();
        for (int i = 0; i < GRANULE / rounded(bytes); i++) {
          blocks.add(filled(arena.allocate(bytes)));
        }
        long lowest = blocks.stream().mapToLong(MemorySegment::address).min().orElseThrow();
        assertThat(round == 0 ? lowest : first).isEqualTo(lowest);
        first = lowest;
        assertThatThrownBy(() -> arena.allocate(rounded(bytes)))
            .isInstanceOf(MemoryLimitException.class);
        Collections.shuffle(blocks, random);
        blocks.forEach(arena::free);
        pool.verify();
        assertThat(owner.chargedBytes()).isEqualTo(GRANULE);
        // Half of it in one piece, the other half too, and then all.
        MemorySegment low = arena.allocate(GRANULE / 2);
        MemorySegment high = arena.allocate(GRANULE / 2);
        assertThat(List.of(low.address(), high.address()))
            .containsExactlyInAnyOrder(first, first + GRANULE / 2);
        arena.free(high);
        arena.free(low);
        MemorySegment all = arena.allocate(GRANULE);
        assertThat(all.address()).isEqualTo(first);
        assertZero(all);
        arena.free(filled(all));
      }
    }
    pool.trim();
    assertThat(owner.chargedBytes()).isZero();
  }

  private static long rounded(long bytes) {
    return (bytes + Settings.BLOCK_BYTES - 1) & -Settings.BLOCK_BYTES;
  }

  /** In earlier lines, too, which do not fill up any more. */
  @Test
  void manyLines_eachFindsItsOwn() {
    Owner owner = pool.owner().child("lines").arenaGrowth(1024, 1024).create();
    List<Long> between = new ArrayList<>();
    try (PoolArena arena = owner.openArena()) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int line = 0; line < 20; line++) {
        blocks.add(filled(arena.allocate(496)));
        blocks.add(filled(arena.allocate(528)));
        between.add(owner.allocateChunk(1024));
      }
      for (int i = 0; i < blocks.size(); i += 2) {
        arena.free(blocks.get(i));
        assertThatThrownBy(() -> arena.free(blocks.get(0))).isInstanceOf(DoubleFreeException.class);
      }
      for (int i = blocks.size() - 2; i >= 0; i -= 2) {
        assertThat(arena.allocate(496).address()).isEqualTo(blocks.get(i).address());
      }
      pool.verify();
      for (long chunk : between) {
        assertThatThrownBy(() -> arena.free(MemorySegment.ofAddress(chunk)))
            .isInstanceOf(ForeignFreeException.class);
      }
    }
    between.forEach(pool::freeChunk);
  }
}
