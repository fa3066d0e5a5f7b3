package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What freeChunk refuses: nothing has two owners afterwards. */
final class ForeignChunkTest {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private static MemoryPool pool(String name) {
    return PoolInvariants.pool(name).create();
  }

  private static void assertRefused(MemoryPool pool, long address) {
    assertThatThrownBy(() -> pool.freeChunk(address))
        .as("0x%x", address)
        .isInstanceOf(ForeignFreeException.class);
  }

  private static void assertForeign(MemoryPool pool, long address) {
    String before = pool.snapshot().toString();
    assertRefused(pool, address);
    assertThat(pool.snapshot()).hasToString(before);
    PoolInvariants.check(pool);
  }

  /** Each leaf of the first region, so that no address is forgotten. */
  private static void assertAllForeign(MemoryPool pool, long from, long bytes) {
    for (long address = from; address < from + bytes; address += KIB) {
      assertRefused(pool, address);
    }
    PoolInvariants.check(pool);
  }

  /** Below and from four leaves on, a root, more than a root: each is known in another way. */
  @Test
  void chunkBytes_ofWhatIsHeld_isWhatWasGranted() {
    try (MemoryPool pool = pool("sizes")) {
      for (long bytes = 1; bytes <= 32 * MIB; bytes = 3 * bytes + 1) {
        long chunk = pool.owner().allocateChunk(bytes);
        long granted = pool.chunkBytes(chunk);
        assertThat(granted).isEqualTo(pool.snapshot().handedOutBytes());
        assertThat(granted).isGreaterThanOrEqualTo(bytes);
        assertThatThrownBy(() -> pool.chunkBytes(chunk + 16))
            .isInstanceOf(ForeignFreeException.class);
        pool.freeChunk(chunk);
        assertThatThrownBy(() -> pool.chunkBytes(chunk)).isInstanceOf(ForeignFreeException.class);
      }
      assertThatThrownBy(() -> pool.chunkBytes(16)).isInstanceOf(ForeignFreeException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 64, 3 * KIB, 5 * KIB, 64 * KIB, 200 * KIB, 5 * MIB})
  void freeChunk_ofAnArena_isForeign(long bytes) {
    try (MemoryPool pool = pool("arenas");
        PoolArena arena = pool.owner().openArena();
        PoolArena shared = pool.owner().openSharedArena()) {
      for (PoolArena each : List.of(arena, shared)) {
        MemorySegment block = each.allocate(bytes, 16);
        assertAllForeign(pool, block.address() & -KIB, bytes);
        each.allocate(bytes, 16); // grows the line, or begins another
        assertAllForeign(pool, block.address() & -KIB, bytes);
      }
    }
  }

  @Test
  void freeChunk_ofALineThatIsKept_isForeign() {
    try (MemoryPool pool = pool("kept")) {
      long address;
      try (PoolArena arena = pool.owner().openArena()) {
        address = arena.allocate(64).address();
      }
      assertForeign(pool, address);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 64, 1000, 32 * KIB, 33 * KIB, 64 * KIB, 5 * MIB})
  void freeChunk_ofAHeap_isForeign(long bytes) {
    try (MemoryPool pool = pool("heaps")) {
      for (BlockHeap heap :
          List.of(
              pool.owner().openHeap(),
              pool.owner().openConfinedHeap(),
              pool.owner().openHeap(Hardening.FULL),
              pool.owner().openHeap(Hardening.sampled(1)))) {
        long block = heap.allocate(bytes);
        assertAllForeign(pool, block & -KIB, bytes);
        heap.free(block);
        PoolInvariants.check(pool); // slabs that stay, and quarantine
        heap.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 8, 64, 128, 2048, 4096, 5000})
  void freeChunk_withinAChunk_isForeign(int kib) {
    try (MemoryPool pool = pool("middles")) {
      long chunk = pool.owner().allocateChunk(kib * KIB);
      for (long offset : new long[] {1, 8, 512, KIB - 1}) {
        assertForeign(pool, chunk + offset);
      }
      for (long offset = KIB; offset < kib * KIB; offset += KIB) {
        assertRefused(pool, chunk + offset);
      }
      PoolInvariants.check(pool);
      pool.freeChunk(chunk);
      PoolInvariants.check(pool);
      assertThatThrownBy(() -> pool.freeChunk(chunk)).isInstanceOf(DoubleFreeException.class);
      PoolInvariants.check(pool);
    }
  }

  @Test
  void freeChunk_ofSmallNeighbours_freesEachOnce() {
    try (MemoryPool pool = pool("neighbours")) {
      List<Long> chunks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        chunks.add(pool.owner().allocateChunk((1 + i % 2) * KIB));
      }
      for (long chunk : chunks) {
        pool.freeChunk(chunk);
        PoolInvariants.check(pool);
        assertThatThrownBy(() -> pool.freeChunk(chunk)).isInstanceOf(DoubleFreeException.class);
      }
      assertThat(pool.snapshot().handedOutBytes()).isZero();
    }
  }

  @Test
  void freeChunk_ofAnotherPool_isForeign() {
    try (MemoryPool one = pool("one");
        MemoryPool two = pool("two")) {
      for (long bytes : new long[] {KIB, 4 * KIB, 5 * MIB}) {
        long chunk = one.owner().allocateChunk(bytes);
        two.freeChunk(two.owner().allocateChunk(bytes));
        assertForeign(two, chunk);
        one.freeChunk(chunk);
      }
      for (long address : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertForeign(one, address);
      }
    }
  }
}
