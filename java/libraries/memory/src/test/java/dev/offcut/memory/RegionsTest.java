package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Address space: how much is reserved, which region an address is in. */
final class RegionsTest {
  private static final long ROOT = Geometry.DEFAULT.rootBytes();

  private final FakeMemory memory = new FakeMemory();

  private MemoryPool.Builder pool() {
    return PoolInvariants.pool("regions").memory(memory);
  }

  private static List<Long> sizes(MemoryPool pool) {
    return pool.layout().regions().stream().map(PoolLayout.RegionLayout::bytes).toList();
  }

  @Test
  void first_isSmall_laterAreLargeOrAsLargeAsIsAskedFor() {
    try (MemoryPool pool = pool().create()) {
      assertThat(pool.allocator().regions.all()).isEmpty();
      long one = pool.owner().allocateChunk(1);
      assertThat(sizes(pool)).containsExactly(64L << 20);
      long two = pool.owner().allocateChunk(64 << 20);
      assertThat(sizes(pool)).containsExactlyInAnyOrder(64L << 20, 1L << 30);
      long three = pool.owner().allocateChunk((1L << 30) + 1);
      assertThat(sizes(pool)).containsExactlyInAnyOrder(64L << 20, 1L << 30, (1L << 30) + ROOT);
      PoolInvariants.check(pool);
      assertBorders(pool);
      List.of(one, two, three).forEach(pool::freeChunk);
      PoolInvariants.check(pool);
    }
    assertThat(memory.reservable).as("all was released").isEqualTo(Long.MAX_VALUE);
  }

  private static void assertBorders(MemoryPool pool) {
    Region[] all = pool.allocator().regions.all();
    for (int i = 0; i < all.length; i++) {
      long end = all[i].base + all[i].bytes;
      assertThat(pool.allocator().regions.findRegion(all[i].base)).isSameAs(all[i]);
      assertThat(pool.allocator().regions.findRegion(end - 1)).isSameAs(all[i]);
      assertThat(pool.allocator().regions.findRegion(all[i].base - 1)).isNotSameAs(all[i]);
      assertThat(pool.allocator().regions.findRegion(end)).isNotSameAs(all[i]);
      assertThat(i == 0 || all[i - 1].base + all[i - 1].bytes <= all[i].base).isTrue();
    }
    assertThat(pool.allocator().regions.findRegion(0)).isNull();
    assertThat(pool.allocator().regions.findRegion(-1)).isNull();
    assertThat(pool.allocator().regions.findRegion(Long.MAX_VALUE)).isNull();
  }

  @Test
  void systemHasLess_halfIsTaken_thenWhatIsNeeded() {
    memory.reservable = 20 << 20;
    try (MemoryPool pool = pool().create()) {
      long one = pool.owner().allocateChunk(1);
      assertThat(sizes(pool)).containsExactly(16L << 20);
      // Four times 4 MiB are there, of which one is begun.
      List<Long> roots = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        roots.add(pool.owner().allocateChunk(ROOT));
      }
      assertThat(sizes(pool)).containsExactlyInAnyOrder(16L << 20, ROOT);
      assertThatThrownBy(() -> pool.owner().allocateChunk(ROOT))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("address space");
      PoolInvariants.check(pool);
      pool.freeChunk(one);
      roots.add(pool.owner().allocateChunk(ROOT));
      roots.forEach(pool::freeChunk);
      PoolInvariants.check(pool);
    }
    assertThat(memory.reservable).isEqualTo(20 << 20);
  }

  @Test
  void reserveLimit_isReachedInWholeRoots() {
    try (MemoryPool pool = pool().reserveLimit(64L << 20 | 3 * ROOT | 1000).create()) {
      List<Long> roots = new ArrayList<>();
      for (int i = 0; i < 19; i++) {
        roots.add(pool.owner().allocateChunk(ROOT));
      }
      assertThat(sizes(pool)).containsExactlyInAnyOrder(64L << 20, 3 * ROOT);
      assertThatThrownBy(() -> pool.owner().allocateChunk(1))
          .isInstanceOf(MemoryLimitException.class);
      roots.forEach(pool::freeChunk);
      PoolInvariants.check(pool);
    }
  }
}
