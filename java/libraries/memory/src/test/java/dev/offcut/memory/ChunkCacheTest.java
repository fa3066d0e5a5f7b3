package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("restricted") // writes into chunks
final class ChunkCacheTest {
  private static final long KIB = 1 << 10;

  private static MemoryPool pool() {
    return MemoryPool.named("returned").decay(Duration.ofHours(1)).create();
  }

  private static List<Long> take(Owner owner, int count, long bytes) {
    List<Long> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(owner.allocateChunk(bytes));
    }
    return taken;
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 32, 64, 128})
  void chunk_givenBack_isTheNextOfItsSize(int kib) {
    try (MemoryPool pool = pool()) {
      long chunk = pool.owner().allocateChunk(kib * KIB);
      pool.freeChunk(chunk);
      assertThat(pool.snapshot().keptBytes()).isEqualTo(kib * KIB);
      pool.verify();
      long other = pool.owner().allocateChunk(kib * KIB / 2);
      assertThat(pool.owner().allocateChunk(kib * KIB / 2 + 1)).isEqualTo(chunk);
      assertThat(other).isNotEqualTo(chunk);
      assertThat(pool.snapshot().keptBytes()).isZero();
      pool.verify();
      pool.freeChunk(chunk);
      pool.freeChunk(other);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 256, 4096, 8192})
  void chunk_tooSmallOrTooLarge_goesToItsRegion(int kib) {
    try (MemoryPool pool = pool()) {
      pool.freeChunk(pool.owner().allocateChunk(kib * KIB));
      assertThat(pool.snapshot().handedOutBytes()).isZero();
      pool.verify();
    }
  }

  @Test
  void chunks_moreThanTheCap_goToTheirRegion() {
    try (MemoryPool pool = pool()) {
      for (int kib = 4; kib <= 128; kib *= 2) {
        take(pool.owner(), 100, kib * KIB).forEach(pool::freeChunk);
      }
      assertThat(pool.snapshot().keptBytes()).isEqualTo(608 * KIB);
      pool.verify();
    }
  }

  @Test
  void chunk_ofAnotherOwner_isNotTaken() {
    try (MemoryPool pool = pool()) {
      Owner one = pool.owner().child("one").create();
      Owner two = pool.owner().child("two").create();
      long chunk = one.allocateChunk(4 * KIB);
      pool.freeChunk(chunk);
      long other = two.allocateChunk(4 * KIB);
      assertThat(other).isNotEqualTo(chunk);
      assertThat(one.allocateChunk(4 * KIB)).isEqualTo(chunk);
      pool.verify();
      pool.freeChunk(chunk);
      pool.freeChunk(other);
    }
  }

  @Test
  void chunk_keptForTwoTurns_goesToItsRegion() {
    try (MemoryPool pool = pool()) {
      pool.freeChunk(pool.owner().allocateChunk(4 * KIB));
      pool.decay();
      assertThat(pool.snapshot().keptBytes()).isEqualTo(4 * KIB);
      pool.verify();
      pool.decay();
      assertThat(pool.snapshot().handedOutBytes()).isZero();
      pool.verify();
    }
  }

  @Test
  void chunk_takenBetweenTurns_isYoungAgain() {
    try (MemoryPool pool = pool()) {
      for (int i = 0; i < 5; i++) {
        pool.freeChunk(pool.owner().allocateChunk(4 * KIB));
        pool.decay();
        assertThat(pool.snapshot().keptBytes()).isEqualTo(4 * KIB);
      }
    }
  }

  @Test
  void chunk_kept_comesWhenALimitStandsAgainstOthers() {
    long limit = 4 * 64 * KIB;
    try (MemoryPool pool =
        MemoryPool.named("limited").limit(limit).decay(Duration.ofHours(1)).create()) {
      take(pool.owner(), 2, 128 * KIB).forEach(pool::freeChunk);
      long all = pool.owner().allocateChunk(limit);
      assertThat(pool.snapshot().keptBytes()).isZero();
      pool.verify();
      pool.freeChunk(all);
    }
  }

  @Test
  void freeChunk_ofAKeptOne_isADoubleFree() {
    try (MemoryPool pool = pool()) {
      long chunk = pool.owner().allocateChunk(4 * KIB);
      pool.freeChunk(chunk);
      assertThatThrownBy(() -> pool.freeChunk(chunk)).isInstanceOf(DoubleFreeException.class);
      pool.verify();
      pool.trim();
      assertThatThrownBy(() -> pool.freeChunk(chunk)).isInstanceOf(DoubleFreeException.class);
      pool.verify();
    }
  }

  @Test
  void freeChunk_byTwoThreads_succeedsOnce() throws Exception {
    int rounds = 20_000;
    AtomicLongArray chunks = new AtomicLongArray(rounds);
    AtomicInteger freed = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    try (MemoryPool pool = pool();
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < rounds; i++) {
        chunks.set(i, pool.owner().allocateChunk(4 * KIB));
      }
      AtomicInteger arrived = new AtomicInteger();
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        running.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < rounds; i++) {
                    arrived.incrementAndGet();
                    while (arrived.get() < 2 * (i + 1)) {
                      Thread.onSpinWait(); // so that both come to the same chunk at once
                    }
                    try {
                      pool.freeChunk(chunks.get(i));
                      freed.incrementAndGet();
                    } catch (DoubleFreeException e) {
                      refused.incrementAndGet();
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get();
      }
      assertThat(freed).hasValue(rounds);
      assertThat(refused).hasValue(rounds);
      pool.verify();
    }
  }

  /** What one thread takes another gives back, while a third lets what is kept go. */
  @Test
  void chunks_betweenThreads_areHandedOutOnce() throws Exception {
    AtomicLongArray shared = new AtomicLongArray(64);
    AtomicInteger working = new AtomicInteger(4);
    try (MemoryPool pool = pool();
        ExecutorService threads = Executors.newFixedThreadPool(5)) {
      List<Owner> owners = List.of(pool.owner(), pool.owner().child("other").create());
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Random random = new Random(t);
        running.add(
            threads.submit(
                () -> {
                  try {
                    for (int i = 0; i < 200_000; i++) {
                      exchange(pool, owners.get(random.nextInt(2)), shared, random);
                    }
                  } finally {
                    working.decrementAndGet();
                  }
                }));
      }
      running.add(
          threads.submit(
              () -> {
                for (int i = 0; working.get() > 0; i++) {
                  pool.decay();
                  if (i % 16 == 0) {
                    pool.trim();
                  }
                }
              }));
      for (Future<?> each : running) {
        each.get();
      }
      Set<Long> left = new HashSet<>();
      for (int i = 0; i < shared.length(); i++) {
        if (shared.get(i) != 0) {
          assertThat(left.add(shared.get(i))).isTrue();
          check(pool, shared.get(i));
        }
      }
      pool.verify();
      pool.trim();
      assertThat(pool.snapshot().handedOutBytes()).isZero();
      pool.verify();
    }
  }

  private static void exchange(
      MemoryPool pool, Owner owner, AtomicLongArray shared, Random random) {
    long bytes = (4L << random.nextInt(6)) * KIB;
    long mine = owner.allocateChunk(bytes);
    MemorySegment memory = MemorySegment.ofAddress(mine).reinterpret(2 * Long.BYTES);
    memory.set(ValueLayout.JAVA_LONG, 0, mine);
    memory.set(ValueLayout.JAVA_LONG, Long.BYTES, Thread.currentThread().threadId());
    long other = shared.getAndSet(random.nextInt(shared.length()), mine);
    if (other != 0) {
      check(pool, other);
    }
  }

  /** Nobody else was handed this chunk: it says what its holder wrote. */
  private static void check(MemoryPool pool, long chunk) {
    MemorySegment memory = MemorySegment.ofAddress(chunk).reinterpret(Long.BYTES);
    if (memory.get(ValueLayout.JAVA_LONG, 0) != chunk) {
      throw new AssertionError("0x" + Long.toHexString(chunk) + " was handed out twice");
    }
    memory.set(ValueLayout.JAVA_LONG, 0, 0);
    pool.freeChunk(chunk);
  }

  @Test
  void close_withChunksKept_letsThemGo() {
    MemoryPool pool = pool();
    take(pool.owner(), 10, 4 * KIB).forEach(pool::freeChunk);
    pool.close();
    assertThatThrownBy(() -> pool.owner().allocateChunk(4 * KIB))
        .isInstanceOf(ClosedPoolException.class);
  }
}
