package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** How an arena grows: by how much, in place, around what is in its way, and up to a limit. */
final class ArenaGrowthTest {
  private static final Geometry GEOMETRY = Geometry.DEFAULT;
  private static final long ROOT = GEOMETRY.rootBytes();
  private static final int LEAF = GEOMETRY.leafBytes();
  private static final int GRANULE = GEOMETRY.granuleBytes();

  private static MemoryPool.Builder pool() {
    return PoolInvariants.pool("growth");
  }

  private static long roundedUp(long bytes, long unit) {
    return (bytes + unit - 1) / unit * unit;
  }

  /** Marks both ends, so that {@link #assertMarked} finds what another block wrote. */
  private static MemorySegment marked(MemorySegment block, long mark) {
    block.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, mark);
    block.set(ValueLayout.JAVA_LONG_UNALIGNED, block.byteSize() - Long.BYTES, mark);
    return block;
  }

  private static void assertMarked(List<MemorySegment> blocks) {
    for (int mark = 0; mark < blocks.size(); mark++) {
      MemorySegment block = blocks.get(mark);
      assertThat(block.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(mark);
      assertThat(block.get(ValueLayout.JAVA_LONG_UNALIGNED, block.byteSize() - Long.BYTES))
          .isEqualTo(mark);
    }
  }

  private static PoolSnapshot.OwnerShare share(Owner owner) {
    return owner.pool().snapshot().owners().stream()
        .filter(share -> share.owner().equals(owner.path()))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Lifetime.class)
  void first_isAtMost4KiB(Lifetime lifetime) {
    try (MemoryPool pool = pool().create()) {
      Owner owner = pool.owner().child("owner").lifetime(lifetime).create();
      for (PoolArena arena : List.of(owner.openArena(), owner.openSharedArena())) {
        long before = share(owner).handedOutBytes();
        arena.allocate(1);
        assertThat(share(owner).handedOutBytes() - before).isBetween((long) LEAF, 4L << 10);
        assertThat(owner.chargedBytes()).isEqualTo(GRANULE);
        PoolInvariants.check(pool);
        arena.close();
        pool.trim();
      }
    }
  }

  /** At first so much, then the double of what it has, and at last no more than it may. */
  @Test
  void step_isTheDouble_upToTheMost() {
    try (MemoryPool pool = pool().create()) {
      Owner owner = pool.owner().child("owner").arenaGrowth(2048, 16384).create();
      long taken = 0;
      try (PoolArena arena = owner.openArena()) {
        for (int step = 0; step < 1000; step++) {
          arena.allocate(64, 1);
          long now = share(owner).handedOutBytes();
          if (now > taken) {
            assertThat(now - taken).isEqualTo(Math.clamp(taken, 2048, 16384));
            taken = now;
          }
        }
      }
    }
  }

  /** A limit stands against a granule, not against what is free in those that the owner has. */
  @Test
  void first_atTheLimit_isTheLeafThatIsFreeAtHome() {
    try (MemoryPool pool = pool().create()) {
      Owner owner = pool.owner().child("owner").hardLimit(GRANULE).create();
      List<Long> chunks = new ArrayList<>();
      for (int leaf = 0; leaf < Geometry.LEAVES; leaf++) {
        chunks.add(owner.allocateChunk(LEAF));
      }
      long free = chunks.remove(7);
      pool.freeChunk(free);
      try (PoolArena arena = owner.openArena()) {
        assertThat(arena.allocate(100).address()).isEqualTo(free);
        PoolInvariants.check(pool);
      }
      chunks.forEach(pool::freeChunk);
    }
  }

  /** Blocks that fill leaves, that lie across their seams, that are larger than one. */
  @ParameterizedTest
  @CsvSource({"1024, SHORT", "1008, SHORT", "48, SHORT", "3008, SHORT", "1008, LONG"})
  void alone_growsLeafByLeaf_throughARootAndBeyond(int bytes, Lifetime lifetime) {
    try (MemoryPool pool = pool().reserveLimit(3 * ROOT).create()) {
      Owner owner = pool.owner().child("owner").lifetime(lifetime).arenaGrowth(LEAF, LEAF).create();
      List<MemorySegment> blocks = new ArrayList<>();
      try (PoolArena arena = owner.openArena()) {
        // From above there is no more than the last granule.
        long end = lifetime == Lifetime.SHORT ? ROOT + GRANULE : GRANULE;
        for (long at = 0; at + bytes <= end; at += bytes) {
          blocks.add(marked(arena.allocate(bytes, 1), blocks.size()));
          assertThat(blocks.getLast().address() - blocks.getFirst().address()).isEqualTo(at);
          // Not a leaf more than the blocks need, and not a granule more than the leaves need.
          long leaves = roundedUp(at + bytes, LEAF);
          if (blocks.size() % 16 == 0 || leaves % GRANULE <= LEAF) {
            assertThat(share(owner).handedOutBytes()).isEqualTo(leaves);
            assertThat(owner.chargedBytes()).isEqualTo(roundedUp(leaves, GRANULE));
            PoolInvariants.check(pool);
          }
        }
        assertMarked(blocks);
      }
      pool.trim();
      PoolInvariants.check(pool);
      assertThat(owner.chargedBytes()).isZero();
    }
  }

  @Test
  void inTheWay_anotherLineBegins_andContentStays() {
    try (MemoryPool pool = pool().create()) {
      Owner owner = pool.owner().child("owner").arenaGrowth(LEAF, LEAF).create();
      List<MemorySegment> blocks = new ArrayList<>();
      try (PoolArena arena = owner.openArena()) {
        blocks.add(marked(arena.allocate(LEAF), 0));
        long behind = owner.allocateChunk(LEAF);
        assertThat(behind).isEqualTo(blocks.getFirst().address() + LEAF);
        blocks.add(marked(arena.allocate(LEAF), 1));
        assertThat(blocks.getLast().address()).isEqualTo(behind + LEAF);
        pool.freeChunk(behind);
        // The new line is the one that grows; the hole stays for others.
        blocks.add(marked(arena.allocate(LEAF), 2));
        assertThat(blocks.getLast().address()).isEqualTo(behind + 2L * LEAF);
        assertThat(owner.allocateChunk(LEAF)).isEqualTo(behind);
        pool.freeChunk(behind);
        PoolInvariants.check(pool);
        assertMarked(blocks);
      }
    }
  }

  static Stream<Arguments> limits() {
    return Stream.of("owner", "commit", "reserve")
        .flatMap(kind -> Stream.of(1, 2, 7, 64).map(granules -> Arguments.of(kind, granules)));
  }

  /** What a block needs is not refused because an arena would grow by more. */
  @ParameterizedTest
  @MethodSource("limits")
  void limit_isUsedUp_beforeAnythingIsRefused(String kind, int granules) {
    long limit = kind.equals("reserve") ? ROOT : (long) granules * GRANULE;
    MemoryPool.Builder builder = pool();
    if (kind.equals("commit")) {
      builder.limit(limit);
    } else if (kind.equals("reserve")) {
      builder.reserveLimit(limit);
    }
    try (MemoryPool pool = builder.create()) {
      Owner.Builder child = pool.owner().child("owner");
      Owner owner = (kind.equals("owner") ? child.hardLimit(limit) : child).create();
      List<MemorySegment> blocks = new ArrayList<>();
      try (PoolArena arena = owner.openArena()) {
        MemoryLimitException refused =
            catchThrowableOfType(
                MemoryLimitException.class,
                () -> {
                  while (true) {
                    blocks.add(marked(arena.allocate(1000), blocks.size()));
                  }
                });
        assertThat(refused.limitBytes()).isEqualTo(limit);
        PoolInvariants.check(pool);
        assertThat(owner.chargedBytes()).isEqualTo(limit);
        assertThat(blocks.size() * 1008L).isGreaterThan(limit - 1008);
        assertMarked(blocks);
      }
      pool.trim();
      PoolInvariants.check(pool);
      assertThat(owner.chargedBytes()).isZero();
    }
  }
}
