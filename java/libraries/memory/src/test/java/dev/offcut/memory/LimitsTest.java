package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of owners, of the pool and of the system, at every step of a piece of work. */
final class LimitsTest {
  private static final int GRANULE = 64 << 10;

  private final FakeMemory memory = new FakeMemory();

  private MemoryPool.Builder pool() {
    return PoolInvariants.pool("limits").memory(memory);
  }

  /** Arenas, large and small blocks and chunks; what is thrown leaves all as it was. */
  private static void work(Owner owner) {
    List<Long> chunks = new ArrayList<>();
    BlockHeap heap = owner.openHeap();
    try (PoolArena first = owner.openArena();
        PoolArena second = owner.openArena()) {
      for (int i = 0; i < 60; i++) {
        first.allocate(1000);
        second.allocate(i * 100L);
        heap.allocate(1 + i * 50L);
        chunks.add(owner.allocateChunk(1L << (10 + i % 9)));
      }
      second.allocate(700 << 10);
      chunks.add(owner.allocateChunk(5 << 20));
    } finally {
      heap.freeAll();
      heap.close();
      chunks.forEach(owner.pool()::freeChunk);
    }
  }

  @Test
  void commitLimit_atEveryGranule_losesNothing() {
    int refused = 0;
    for (long limit = GRANULE; ; limit += GRANULE) {
      try (MemoryPool pool = pool().limit(limit).create()) {
        boolean done = true;
        try {
          work(pool.owner());
        } catch (MemoryLimitException e) {
          done = false;
          refused++;
          assertThat(e.limitBytes()).isEqualTo(limit);
          assertThat(e.limitedBy()).isEqualTo("limits");
          assertThat(e)
              .hasMessageContaining("the limit of the pool")
              .hasMessageContaining("pinned");
          assertThat(e.snapshot().committedBytes()).isLessThanOrEqualTo(limit);
        }
        PoolInvariants.check(pool);
        pool.trim();
        if (done) {
          break;
        }
      }
    }
    assertThat(refused).isGreaterThan(50);
  }

  @Test
  void hardLimit_ofAParent_isItsOwn() {
    try (MemoryPool pool = pool().create()) {
      Owner parent = pool.owner().child("server").hardLimit(4 * GRANULE).create();
      Owner child = parent.child("session").hardLimit(3 * GRANULE).create();
      long one = child.allocateChunk(2 * GRANULE);
      MemoryLimitException own =
          catchThrowableOfType(MemoryLimitException.class, () -> child.allocateChunk(2 * GRANULE));
      assertThat(own.limitedBy()).isEqualTo("server/session");
      assertThat(own.limitBytes()).isEqualTo(3 * GRANULE);
      assertThat(own.requestedBytes()).isEqualTo(2 * GRANULE);
      long two = parent.allocateChunk(2 * GRANULE);
      MemoryLimitException above =
          catchThrowableOfType(MemoryLimitException.class, () -> child.allocateChunk(1));
      assertThat(above.limitedBy()).isEqualTo("server");
      assertThat(child.chargedBytes()).isEqualTo(2 * GRANULE);
      assertThat(parent.chargedBytes()).isEqualTo(4 * GRANULE);
      PoolInvariants.check(pool);
      pool.freeChunk(two);
      long three = child.allocateChunk(1);
      pool.freeChunk(one);
      pool.freeChunk(three);
      assertThat(parent.chargedBytes()).isZero();
    }
  }

  @Test
  void softLimit_passed_callsBackOnce() {
    try (MemoryPool pool = pool().create()) {
      AtomicInteger calls = new AtomicInteger();
      Owner owner =
          pool.owner()
              .child("soft")
              .softLimit(2 * GRANULE, any -> calls.incrementAndGet())
              .create();
      long one = owner.allocateChunk(2 * GRANULE);
      assertThat(calls).hasValue(0);
      long two = owner.allocateChunk(GRANULE);
      long three = owner.allocateChunk(GRANULE);
      assertThat(calls).hasValue(1);
      List.of(one, two, three).forEach(pool::freeChunk);
      try (PoolArena arena = owner.openArena()) {
        arena.allocate(3 * GRANULE);
        assertThat(calls).hasValue(2);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4, 8, 64, 100})
  void addressSpace_usedUp_losesNothing(long mebibytes) {
    memory.reservable = mebibytes << 20;
    try (MemoryPool pool = pool().reserveLimit(32 << 20).create()) {
      Throwable thrown = null;
      try {
        work(pool.owner());
      } catch (MemoryLimitException e) {
        thrown = e;
        assertThat(e).hasMessageContaining("address space");
      }
      assertThat(thrown == null).isEqualTo(mebibytes >= 64);
      PoolInvariants.check(pool);
    }
    assertThat(memory.reservable).isEqualTo(mebibytes << 20);
  }

  @Test
  void discardRefused_keepsCounting() {
    memory.refusesDiscard = true;
    try (MemoryPool pool = pool().create()) {
      work(pool.owner());
      pool.trim();
      PoolInvariants.check(pool);
      assertThat(pool.snapshot().committedBytes()).isPositive();
      memory.refusesDiscard = false;
      pool.trim();
      PoolInvariants.check(pool);
      assertThat(pool.snapshot().committedBytes()).isZero();
    }
  }

  @Test
  void builder_wrongValues_areRefused() {
    assertThatThrownBy(() -> pool().limit(1000).create()).isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> pool().reserveLimit(1).create())
        .isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> pool().chunks(3 << 20, 1024)).isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> pool().chunks(4 << 20, 128)).isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> pool().chunks(1024, 1024)).isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> MemoryPool.named(" ")).isInstanceOf(IllegalArgumentException.class);
    try (MemoryPool pool = pool().create()) {
      assertThatThrownBy(() -> pool.owner().child("")).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> pool.owner().child("x").hardLimit(0))
          .isInstanceOf(IllegalSizeException.class);
      assertThatThrownBy(() -> pool.owner().child("x").arenaGrowth(3, 5))
          .isInstanceOf(IllegalSizeException.class);
      assertThatThrownBy(() -> pool.owner().allocateChunk(0))
          .isInstanceOf(IllegalSizeException.class)
          .hasMessageContaining("a chunk of 0 bytes for limits");
      assertThatThrownBy(() -> pool.owner().allocateChunk(-5))
          .isInstanceOf(IllegalSizeException.class);
    }
  }

  /** Any long as a size: what is refused takes neither address space nor memory for its maps. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refused_anySize_takesNothing(boolean isOwnersLimit) {
    MemoryPool.Builder builder = isOwnersLimit ? pool() : pool().limit(64 << 20);
    try (MemoryPool pool = builder.create()) {
      Owner owner = pool.owner().child("limited").hardLimit(64 << 20).create();
      BlockHeap heap = owner.openHeap();
      List<BlockHeap> heaps =
          List.of(heap, owner.openConfinedHeap(), owner.openHeap(Hardening.FULL));
      heap.free(heap.allocate(100));
      pool.trim();
      long reserved = memory.reserved;
      try (PoolArena arena = owner.openArena()) {
        arena.allocate(64);
        for (int shift = 26; shift < Long.SIZE - 1; shift++) {
          for (long more : new long[] {1, 1 << 20, (1L << shift) - 1}) {
            long bytes = (1L << shift) + more; // the last one is Long.MAX_VALUE
            assertRefused(() -> owner.allocateChunk(bytes));
            heaps.forEach(each -> assertRefused(() -> each.allocate(bytes)));
            assertRefused(() -> arena.allocate(bytes, 1));
          }
        }
        assertThat(memory.reserved).isEqualTo(reserved);
        PoolInvariants.check(pool);
      }
      for (long bytes : new long[] {0, -1, -4096, Long.MIN_VALUE, Long.MIN_VALUE + 1}) {
        assertThatThrownBy(() -> owner.allocateChunk(bytes))
            .isInstanceOf(IllegalSizeException.class);
        for (BlockHeap each : heaps) {
          assertThatThrownBy(() -> each.allocate(bytes)).isInstanceOf(IllegalSizeException.class);
        }
      }
      heaps.forEach(BlockHeap::close);
    }
  }

  private static void assertRefused(ThrowingCallable request) {
    assertThatThrownBy(request).isInstanceOf(MemoryLimitException.class);
  }

  /** Without a limit the maps would be what takes too much: of the Java heap. */
  @ParameterizedTest
  @ValueSource(ints = {42, 45, 47, 50, 62})
  void refused_mapsTooLarge_takesNothing(int shift) {
    try (MemoryPool pool = pool().create()) {
      assertRefused(() -> pool.owner().allocateChunk(1L << shift));
      assertThat(memory.reserved).isZero();
    }
  }

  @Test
  void hardLimit_refusedWithKeptMemory_reclaimsItBeforeItGrows() {
    try (MemoryPool pool = pool().limit(64 << 20).create()) {
      List<Long> chunks = new ArrayList<>();
      for (int i = 0; i < 15; i++) {
        chunks.add(pool.owner().allocateChunk(4 << 20));
      }
      chunks.forEach(pool::freeChunk);
      pool.freeChunk(pool.owner().allocateChunk(60 << 20));
      assertThat(memory.reserved).isEqualTo(64 << 20);
    }
  }

  /** AArch64 has such pages: a granule of the pool's own sizes is one of them. */
  @Test
  void pages_of64KiB_areGivenBackWhole() {
    memory.pageBytes = 64 << 10;
    try (MemoryPool pool = pool().create()) {
      work(pool.owner());
      BlockHeap guarded = pool.owner().openHeap(Hardening.sampled(1));
      long block = guarded.allocate(100);
      long survivor = pool.owner().allocateChunk(1 << 10);
      MemorySegment bytes = RawMemory.segment(survivor, 1 << 10).fill((byte) 7);
      pool.freeChunk(pool.owner().allocateChunk(16 << 10));
      pool.trim();
      assertThat(bytes.get(ValueLayout.JAVA_BYTE, 100)).isEqualTo((byte) 7);
      guarded.free(block);
      guarded.close();
      pool.freeChunk(survivor);
      pool.trim();
      PoolInvariants.check(pool);
      assertThat(pool.snapshot().committedBytes()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {256, 512})
  void pages_largerThanAGranule_areRefused(int leafBytes) {
    memory.pageBytes = 64 << 10;
    assertThatThrownBy(() -> pool().chunks(1 << 20, leafBytes).create())
        .isInstanceOf(IllegalSizeException.class)
        .hasMessageContaining("give 1024 bytes or more");
  }
}
