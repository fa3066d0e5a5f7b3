package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which memory has pages and which is zero, against a bit a leaf: chunks come and go at random, and
 * pages with decay and trim, which the system may refuse; {@code -Doffcut.seed=N} repeats a run.
 */
@SuppressWarnings("restricted") // looks into chunks
final class PageModelTest {
  private static final int STEPS = 4_000;
  private static final int MOST_IN_ONE_CALL = 64;

  private final FakeMemory memory = new FakeMemory();
  private final List<Chunk> chunks = new ArrayList<>();

  // The model. Bits are leaves, or granules.
  private final BitSet used = new BitSet();
  private final BitSet dirty = new BitSet();
  private final BitSet idle = new BitSet();
  private final BitSet aged = new BitSet();
  private long discarded;
  private long discards;
  private int leafBytes;
  private long base;

  private record Chunk(long address, long bytes) {}

  @ParameterizedTest
  @CsvSource({"4194304, 1024, 3", "65536, 1024, 3", "1048576, 256, 3", "16777216, 16384, 5"})
  void random_chunksAndTurns_agreeWithTheModel(long rootBytes, int leaf, int refusedInTen) {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("PageModelTest " + rootBytes + ": -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    leafBytes = leaf;
    try (MemoryPool pool =
        MemoryPool.named("pages")
            .chunks(rootBytes, leaf)
            .reserveLimit(Math.max(rootBytes, 8L << 20))
            .decay(Duration.ofHours(1))
            .memory(memory)
            .create()) {
      Owner other = pool.owner().child("other").lifetime(Lifetime.LONG).create();
      pool.freeChunk(pool.owner().allocateChunk(1));
      base = pool.layout().regions().getFirst().address();
      hold(base, leaf);
      release(base, leaf);
      for (int step = 0; step < STEPS; step++) {
        memory.refusesDiscard = random.nextInt(10) < refusedInTen;
        act(pool, random.nextInt(3) == 0 ? other : pool.owner(), random);
        pool.verify();
        check(pool);
      }
      memory.refusesDiscard = false;
      chunks.forEach(chunk -> pool.freeChunk(chunk.address));
      pool.trim();
      assertThat(pool.residentBytes()).isZero();
    }
  }

  private void act(MemoryPool pool, Owner owner, Random random) {
    int what = random.nextInt(100);
    if (what < 46) {
      take(pool, owner, random);
    } else if (what < 90) {
      give(pool, random);
    } else if (what < 96) {
      pool.decay();
      discardAged();
      age();
    } else {
      pool.trim();
      age();
      discardAged();
      trim();
    }
  }

  private void take(MemoryPool pool, Owner owner, Random random) {
    Geometry geometry = pool.allocator().geometry;
    int levels = geometry.leafLevel() + 1;
    boolean cut = random.nextInt(4) == 0;
    long asked =
        cut
            ? 1 + random.nextLong(geometry.rootBytes())
            : geometry.bytes(Math.max(random.nextInt(levels), random.nextInt(levels)));
    ChunkAllocator allocator = pool.allocator();
    Request taken;
    try {
      taken =
          cut
              ? allocator.allocateGranules(owner, asked)
              : allocator.allocateForProgram(owner, asked);
    } catch (MemoryLimitException e) {
      age(); // nothing fits: all that is free went back first
      discardAged();
      return;
    }
    long bytes = cut ? allocator.granuleBytes(asked) : asked;
    Chunk chunk = new Chunk(taken.address, bytes);
    if (cut) {
      allocator
          .regions
          .regionOf(chunk.address)
          .maps
          .addOfProgram(chunk.address); // as the program's
    }
    boolean zero = dirty.get(leaf(chunk.address), leaf(chunk.address + bytes)).isEmpty();
    assertThat(taken.isZero).as("%s is zero", chunk).isEqualTo(zero);
    MemorySegment segment = MemorySegment.ofAddress(chunk.address).reinterpret(bytes);
    if (zero) {
      for (long at = 0; at < bytes; at += Math.min(leafBytes, memory.pageBytes())) {
        assertThat(segment.get(ValueLayout.JAVA_LONG, at)).isZero();
      }
    }
    for (long at = 0; at < bytes; at += leafBytes) {
      segment.set(ValueLayout.JAVA_LONG, at, chunk.address + at);
    }
    hold(chunk.address, bytes);
    chunks.add(chunk);
  }

  private void give(MemoryPool pool, Random random) {
    if (chunks.isEmpty()) {
      return;
    }
    Chunk chunk = chunks.remove(random.nextInt(chunks.size()));
    MemorySegment segment = MemorySegment.ofAddress(chunk.address).reinterpret(chunk.bytes);
    for (long at = 0; at < chunk.bytes; at += leafBytes) {
      assertThat(segment.get(ValueLayout.JAVA_LONG, at)).isEqualTo(chunk.address + at);
    }
    pool.freeChunk(chunk.address);
    release(chunk.address, chunk.bytes);
  }

  private void check(MemoryPool pool) {
    long committed = 0;
    for (int at = dirty.nextSetBit(0); at >= 0; at = dirty.nextSetBit(endOfGranule(at))) {
      committed += (long) Geometry.LEAVES * leafBytes;
    }
    PoolSnapshot snapshot = pool.snapshot();
    assertThat(snapshot.committedBytes()).isEqualTo(committed);
    assertThat(snapshot.handedOutBytes()).isEqualTo((long) used.cardinality() * leafBytes);
    assertThat(memory.discarded).isEqualTo(discarded);
    assertThat(memory.discards).as("calls of the system").isEqualTo(discards);
  }

  // What should happen.

  private int leaf(long address) {
    return (int) ((address - base) / leafBytes);
  }

  private static int endOfGranule(int leaf) {
    return (leaf / Geometry.LEAVES + 1) * Geometry.LEAVES;
  }

  private boolean isHome(int granule) {
    int first = granule * Geometry.LEAVES;
    return !used.get(first, first + Geometry.LEAVES).isEmpty();
  }

  private void hold(long address, long bytes) {
    int from = leaf(address);
    int to = leaf(address + bytes);
    used.set(from, to);
    dirty.set(from, to);
    idle.clear(from / Geometry.LEAVES, (to - 1) / Geometry.LEAVES + 1);
    aged.clear(from / Geometry.LEAVES, (to - 1) / Geometry.LEAVES + 1);
  }

  private void release(long address, long bytes) {
    int from = leaf(address);
    int to = leaf(address + bytes);
    used.clear(from, to);
    for (int granule = from / Geometry.LEAVES; granule * Geometry.LEAVES < to; granule++) {
      idle.set(granule, !isHome(granule));
    }
  }

  private void age() {
    aged.or(idle);
    idle.clear();
  }

  /** Each run of granules in one call, up to so many. */
  private void discardAged() {
    int granule = aged.nextSetBit(0);
    while (granule >= 0) {
      int end = Math.min(aged.nextClearBit(granule), granule + MOST_IN_ONE_CALL);
      aged.clear(granule, end);
      if (memory.refusesDiscard) {
        idle.set(granule, end);
      } else {
        discard(granule * Geometry.LEAVES, end * Geometry.LEAVES);
      }
      granule = aged.nextSetBit(end);
    }
  }

  private void discard(int from, int to) {
    dirty.clear(from, to);
    discarded += (long) (to - from) * leafBytes;
    discards++;
  }

  /** In granules that are in use, each run of pages without a used leaf, if it may have any. */
  private void trim() {
    int perPage = Math.max(1, memory.pageBytes() / leafBytes);
    for (int granule = 0; granule * Geometry.LEAVES < used.length(); granule++) {
      int end = (granule + 1) * Geometry.LEAVES;
      int run = granule * Geometry.LEAVES;
      for (int at = run; isHome(granule) && !memory.refusesDiscard && at <= end; at += perPage) {
        boolean spare =
            at < end
                && used.get(at, at + perPage).isEmpty()
                && !dirty.get(at, at + perPage).isEmpty();
        if (!spare) {
          if (run < at) {
            discard(run, at);
          }
          run = at + perPage;
        }
      }
    }
  }
}
