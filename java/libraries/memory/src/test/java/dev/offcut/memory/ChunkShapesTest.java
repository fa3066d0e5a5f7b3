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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Chunks of every level in one root: taken, refused, taken again, split and joined. */
@SuppressWarnings("restricted") // looks into chunks
final class ChunkShapesTest {
  private static final Geometry GEOMETRY = Geometry.DEFAULT;
  private static final long ROOT = GEOMETRY.rootBytes();
  private static final int GRANULE = GEOMETRY.granuleBytes();
  private static final byte SIBLING = 0x5B;
  private static final byte PART = 0x2A;

  static IntStream levels() {
    return IntStream.rangeClosed(0, GEOMETRY.leafLevel());
  }

  static Stream<Arguments> levelsAndLifetimes() {
    return levels()
        .boxed()
        .flatMap(level -> Stream.of(Lifetime.values()).map(life -> Arguments.of(level, life)));
  }

  static Stream<Arguments> pairs() {
    return levels()
        .boxed()
        .flatMap(
            from ->
                IntStream.rangeClosed(from + 1, GEOMETRY.leafLevel())
                    .boxed()
                    .flatMap(
                        to ->
                            Stream.of(Lifetime.values())
                                .map(life -> Arguments.of(from, to, life))));
  }

  private static MemoryPool.Builder oneRoot() {
    return MemoryPool.named("shapes").reserveLimit(ROOT).decay(Duration.ofHours(1));
  }

  private static Owner owner(MemoryPool pool, Lifetime lifetime) {
    return pool.owner().child("owner").lifetime(lifetime).create();
  }

  @ParameterizedTest
  @MethodSource("levelsAndLifetimes")
  void reserveLimit_chunksTileTheRoot(int level, Lifetime lifetime) {
    long bytes = GEOMETRY.bytes(level);
    try (MemoryPool pool = oneRoot().create()) {
      Owner owner = owner(pool, lifetime);
      List<Long> chunks = new ArrayList<>();
      for (long i = 0; i < ROOT / bytes; i++) {
        chunks.add(owner.allocateChunk(bytes));
      }
      pool.verify();
      assertThatThrownBy(() -> owner.allocateChunk(bytes))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("address space");
      pool.verify();
      long base = pool.layout().regions().getFirst().address();
      if (lifetime == Lifetime.SHORT) {
        assertThat(chunks).isSorted();
      }
      for (long chunk : chunks.stream().sorted().toList()) {
        assertThat(chunk).isEqualTo(base);
        base += bytes;
      }
      Collections.shuffle(chunks, new Random(level));
      chunks.forEach(pool::freeChunk);
      assertOneRootFree(pool);
    }
  }

  private static void assertOneRootFree(MemoryPool pool) {
    pool.verify();
    assertThat(free(pool)).containsExactly(new PoolLayout.FreeChunk(0, ROOT));
    assertThat(pool.owner().chargedBytes()).isZero();
  }

  private static List<PoolLayout.FreeChunk> free(MemoryPool pool) {
    return pool.layout().regions().getFirst().free();
  }

  @ParameterizedTest
  @MethodSource("levelsAndLifetimes")
  void uncommitted_takenAgain_isThereAndZero(int level, Lifetime lifetime) {
    long bytes = GEOMETRY.bytes(level);
    try (MemoryPool pool = oneRoot().create()) {
      Owner owner = owner(pool, lifetime);
      Request taken = pool.allocator().allocateForProgram(owner, bytes);
      long chunk = taken.address;
      assertThat(taken.isZero).isTrue();
      memory(chunk, bytes).fill(PART);
      pool.freeChunk(chunk);
      taken = pool.allocator().allocateForProgram(owner, bytes);
      assertThat(taken.address).isEqualTo(chunk);
      assertThat(taken.isZero).as("its pages are still there").isFalse();
      assertThat(holds(chunk, bytes, PART)).isTrue();
      pool.freeChunk(chunk);
      pool.decay();
      pool.decay();
      pool.verify();
      assertThat(pool.snapshot().committedBytes()).isZero();
      assertThat(pool.residentBytes()).isZero();
      taken = pool.allocator().allocateForProgram(owner, bytes);
      assertThat(taken.address).isEqualTo(chunk);
      assertThat(taken.isZero).isTrue();
      assertThat(pool.snapshot().committedBytes()).isEqualTo(Math.max(bytes, GRANULE));
      assertThat(holds(chunk, bytes, (byte) 0)).isTrue();
      pool.verify();
      pool.freeChunk(chunk);
      assertOneRootFree(pool);
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void splitAndJoined_oneSplinterALevel_andTheSamePlace(int from, int to, Lifetime lifetime) {
    long fromBytes = GEOMETRY.bytes(from);
    long toBytes = GEOMETRY.bytes(to);
    try (MemoryPool pool = oneRoot().create()) {
      Owner owner = owner(pool, lifetime);
      // Everything but one chunk: the other halves of all that it is a part of.
      List<MemorySegment> siblings = new ArrayList<>();
      for (int level = 1; level <= from; level++) {
        siblings.add(memory(owner.allocateChunk(GEOMETRY.bytes(level)), GEOMETRY.bytes(level)));
        siblings.getLast().fill(SIBLING);
      }
      long chunk = owner.allocateChunk(fromBytes);
      assertThat(free(pool)).isEmpty();
      pool.freeChunk(chunk);
      long base = pool.layout().regions().getFirst().address();
      PoolLayout.FreeChunk whole = new PoolLayout.FreeChunk(chunk - base, fromBytes);
      assertThat(free(pool)).containsExactly(whole);
      pool.verify();

      long part = owner.allocateChunk(toBytes);
      pool.verify();
      assertThat(part).isBetween(chunk, chunk + fromBytes - toBytes);
      assertThat(part % toBytes).isZero();
      assertSplinters(free(pool), from, to, chunk - base, part - base);
      // Long-lived ones take the highest granule; within it the lowest leaves.
      boolean fromAbove = lifetime == Lifetime.LONG && fromBytes > GRANULE;
      long above = fromBytes - Math.max(toBytes, GRANULE);
      assertThat(part).isEqualTo(fromAbove ? chunk + above : chunk);

      memory(part, toBytes).fill(PART);
      pool.decay();
      pool.decay();
      pool.trim();
      pool.verify();
      assertThat(holds(part, toBytes, PART)).as("the part, when the rest has no pages").isTrue();

      pool.freeChunk(part);
      pool.verify();
      assertThat(free(pool)).containsExactly(whole);
      assertThat(owner.allocateChunk(fromBytes)).isEqualTo(chunk);
      pool.freeChunk(chunk);
      pool.trim();
      for (MemorySegment sibling : siblings) {
        assertThat(holds(sibling.address(), sibling.byteSize(), SIBLING)).isTrue();
        pool.freeChunk(sibling.address());
      }
      assertOneRootFree(pool);
    }
  }

  /** One of each level below the one that was split, disjoint, aligned, all of what is left. */
  private static void assertSplinters(
      List<PoolLayout.FreeChunk> free, int from, int to, long chunk, long part) {
    assertThat(free)
        .extracting(PoolLayout.FreeChunk::bytes)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(from + 1, to).mapToObj(GEOMETRY::bytes).toList());
    long at = chunk;
    for (PoolLayout.FreeChunk splinter : free) {
      if (at == part) {
        at += GEOMETRY.bytes(to);
      }
      assertThat(splinter.offset()).isEqualTo(at);
      assertThat(at % splinter.bytes()).isZero();
      at += splinter.bytes();
    }
  }

  @Test
  void cutToSize_everyNumberOfGranules_leavesTheLargestPieces() {
    try (MemoryPool pool = oneRoot().create()) {
      int all = GEOMETRY.granulesPerRoot();
      for (int count = 1; count <= all; count++) {
        long bytes = (long) count * GRANULE;
        long chunk = pool.allocator().allocateGranules(pool.owner(), bytes).address;
        pool.allocator().regions.regionOf(chunk).maps.addOfProgram(chunk); // as the program's
        pool.verify();
        assertThat(pool.owner().chargedBytes()).isEqualTo((long) count * GRANULE);
        List<PoolLayout.FreeChunk> free = free(pool);
        assertThat(free).hasSize(Integer.bitCount(all - count));
        long at = chunk - pool.layout().regions().getFirst().address() + (long) count * GRANULE;
        for (PoolLayout.FreeChunk piece : free) {
          assertThat(piece.offset()).isEqualTo(at);
          assertThat(at % piece.bytes()).isZero();
          at += piece.bytes();
        }
        assertThat(at).isEqualTo(ROOT);
        pool.freeChunk(chunk);
        assertOneRootFree(pool);
      }
    }
  }

  private static boolean holds(long address, long bytes, byte pattern) {
    MemorySegment memory = memory(address, bytes);
    // All bytes are the same if the first is right and each is what the one before it is.
    return memory.get(ValueLayout.JAVA_BYTE, 0) == pattern
        && MemorySegment.mismatch(memory, 0, bytes - 1, memory, 1, bytes) == -1;
  }

  private static MemorySegment memory(long address, long bytes) {
    return MemorySegment.ofAddress(address).reinterpret(bytes);
  }
}
