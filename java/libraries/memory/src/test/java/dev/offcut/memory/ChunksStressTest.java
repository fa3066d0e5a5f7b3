package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Chunks at random, of which nothing, half or all is written to, with and without a limit. What is
 * refused must be more than the limit allows, and what was never written to has no pages; {@code
 * -Doffcut.seed=N} repeats a run.
 */
@SuppressWarnings("restricted") // writes into chunks
final class ChunksStressTest {
  private static final int RUNS = 5;
  private static final int STEPS = 1_000;
  private static final long LIMIT = 2 << 20;
  private static final long MOST_LIVE = 24 << 20;
  private static final Geometry GEOMETRY = Geometry.DEFAULT;
  private static final int GRANULE = GEOMETRY.granuleBytes();

  private final List<Chunk> chunks = new ArrayList<>();
  private long liveBytes;
  private int refused;

  private record Chunk(long address, long bytes, long written) {}

  static Stream<Arguments> combinations() {
    return Stream.of(true, false)
        .flatMap(
            small ->
                Stream.of(0.0, 0.5, 1.0)
                    .flatMap(
                        written ->
                            Stream.of(LIMIT, Long.MAX_VALUE)
                                .map(limit -> Arguments.of(small, written, limit))));
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void random_chunks_areRefusedByTheLimitOnly(boolean small, double written, long limit) {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("ChunksStressTest " + small + " " + written + ": -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    for (int run = 0; run < RUNS; run++) {
      try (MemoryPool pool =
          MemoryPool.named("stress").limit(limit).decay(Duration.ofHours(1)).create()) {
        for (int step = 0; step < STEPS; step++) {
          // Fills up, then empties, then in between.
          int takes = step < STEPS / 3 ? 80 : step < 2 * STEPS / 3 ? 35 : 50;
          if (random.nextInt(100) < takes && liveBytes < MOST_LIVE) {
            take(pool, small, written, random);
          } else {
            give(pool, random);
          }
          pool.verify();
          if (step % 100 == 99) {
            checkPages(pool, written);
          }
        }
        while (!chunks.isEmpty()) {
          give(pool, random);
        }
        pool.verify();
        checkPages(pool, written);
        assertThat(pool.owner().chargedBytes()).isZero();
      }
    }
    assertThat(refused > 0).isEqualTo(limit == LIMIT);
  }

  private void take(MemoryPool pool, boolean small, double written, Random random) {
    int least = small ? GEOMETRY.granuleLevel() - 2 : 0;
    int level = least + random.nextInt(GEOMETRY.leafLevel() + 1 - least);
    long bytes = GEOMETRY.bytes(level);
    long address;
    try {
      address = pool.owner().allocateChunk(bytes);
    } catch (MemoryLimitException e) {
      refused++;
      assertExplained(pool, bytes, e);
      return;
    }
    long write = (long) (bytes * written);
    MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(bytes);
    for (long at = 0; at < write; at += 512) {
      memory.set(ValueLayout.JAVA_LONG, at, address + at);
    }
    chunks.add(new Chunk(address, bytes, write));
    liveBytes += bytes;
  }

  /** Nothing that is free and its own fits, and another granule, or so many, are too many. */
  private static void assertExplained(MemoryPool pool, long bytes, MemoryLimitException refused) {
    assertThat(refused.limitBytes()).isEqualTo(LIMIT);
    assertThat(refused).hasMessageContaining("the limit of the pool");
    long more = Math.max(bytes, GRANULE);
    assertThat(pool.owner().chargedBytes() + more).as("%d bytes", bytes).isGreaterThan(LIMIT);
    if (bytes < GRANULE) {
      assertThat(pool.layout().regions().getFirst().free())
          .filteredOn(free -> free.bytes() < GRANULE)
          .allSatisfy(free -> assertThat(free.bytes()).isLessThan(bytes));
    }
  }

  private void give(MemoryPool pool, Random random) {
    if (chunks.isEmpty()) {
      return;
    }
    Chunk chunk = chunks.remove(random.nextInt(chunks.size()));
    MemorySegment memory = MemorySegment.ofAddress(chunk.address).reinterpret(chunk.bytes);
    for (long at = 0; at < chunk.written; at += 512) {
      assertThat(memory.get(ValueLayout.JAVA_LONG, at)).isEqualTo(chunk.address + at);
    }
    pool.freeChunk(chunk.address);
    liveBytes -= chunk.bytes;
  }

  /** After a trim, pages are where something was written that is in use, or beside it. */
  private void checkPages(MemoryPool pool, double written) {
    pool.trim();
    pool.verify();
    int page = pool.allocator().memory.pageBytes();
    Set<Long> writtenPages = new HashSet<>();
    Set<Long> usedPages = new HashSet<>();
    for (Chunk chunk : chunks) {
      for (long at = 0; at < chunk.bytes; at += 512) {
        usedPages.add((chunk.address + at) / page);
        if (at < chunk.written) {
          writtenPages.add((chunk.address + at) / page);
        }
      }
    }
    long mostPages = written == 0 ? 0 : usedPages.size();
    assertThat(pool.residentBytes() / page).isBetween((long) writtenPages.size(), mostPages);
  }
}
