package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.handle.Handles;
import dev.offcut.resident.Accountant;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The pool as its users see it: coming home, pages, pictures, misuse. */
final class MemoryPoolTest {
  private static final int GRANULE = 64 << 10;

  private static MemoryPool.Builder pool() {
    return PoolInvariants.pool("pool");
  }

  @Test
  void forgottenArena_itsChunksComeHome() throws InterruptedException {
    try (MemoryPool pool = pool().create()) {
      Thread thread = new Thread(() -> forget(pool.owner(), 100));
      thread.start();
      thread.join(); // while it lives, it keeps the memory of one
      assertThat(pool.owner().chargedBytes()).isPositive();
      for (int i = 0; i < 100 && pool.owner().chargedBytes() != 0; i++) {
        Handles.drain(Duration.ofSeconds(1));
        pool.trim();
      }
      assertThat(pool.owner().chargedBytes()).isZero();
      PoolInvariants.check(pool);
    }
  }

  @Test
  void memory_isAPoolsForWhoeverLooksFromOutside() throws IOException {
    Accountant accountant = new Accountant(ProcessHandle.current().pid());
    long before = accountant.take().bytes(Part.POOLS);
    try (MemoryPool pool = pool().create()) {
      try (PoolArena arena = pool.owner().openArena()) {
        arena.allocate(40 << 20).fill((byte) 1);
        assertThat(accountant.take().bytes(Part.POOLS) - before).isBetween(40L << 20, 41L << 20);
      }
    }
    assertThat(accountant.take().bytes(Part.POOLS)).isLessThanOrEqualTo(before);
  }

  private static void forget(Owner owner, int count) {
    for (int i = 0; i < count; i++) {
      PoolArena arena = i % 2 == 0 ? owner.openArena() : owner.openSharedArena();
      for (int j = 0; j < i; j++) {
        arena.allocate(1000);
      }
    }
  }

  @Test
  void arenaDropped_segmentKept_memoryStays() throws InterruptedException {
    try (MemoryPool pool = pool().create()) {
      long before = pool.snapshot().handedOutBytes();
      useWithoutItsArena(dropped(pool.owner()));
      assertThat(pool.snapshot().handedOutBytes()).isGreaterThan(before);
      for (int i = 0; i < 100 && pool.snapshot().handedOutBytes() > before; i++) {
        Handles.drain(Duration.ofSeconds(1));
      }
      assertThat(pool.snapshot().handedOutBytes()).isEqualTo(before);
    }
  }

  private static void useWithoutItsArena(MemorySegment block) throws InterruptedException {
    block.fill((byte) 7);
    for (int i = 0; i < 5; i++) {
      Handles.drain(Duration.ofMillis(300));
    }
    assertThat(block.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 7);
    assertThat(block.scope().isAlive()).isTrue();
  }

  private static MemorySegment dropped(Owner owner) {
    return owner.openArena().allocate(100);
  }

  @Test
  void decay_freeMemory_goesAfterTwoTurns() {
    try (MemoryPool pool = pool().create()) {
      List<Long> chunks = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        chunks.add(pool.owner().allocateChunk(8 << 10));
        RawMemory.fill(chunks.getLast(), 8 << 10, (byte) 1);
      }
      assertThat(pool.residentBytes()).isGreaterThanOrEqualTo(800 << 10);
      chunks.forEach(pool::freeChunk);
      pool.decay();
      assertThat(pool.snapshot().committedBytes()).isGreaterThanOrEqualTo(800 << 10);
      pool.decay();
      assertThat(pool.snapshot().committedBytes()).isZero();
      assertThat(pool.residentBytes()).isZero();
      PoolInvariants.check(pool);
    }
  }

  @Test
  void trim_survivors_keepTheirPagesOnly() {
    try (MemoryPool pool = pool().create()) {
      List<Long> chunks = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        chunks.add(pool.owner().allocateChunk(2 << 10));
        RawMemory.fill(chunks.getLast(), 2 << 10, (byte) 1);
      }
      for (int i = 0; i < 3000; i++) {
        if (i % 16 != 0) {
          pool.freeChunk(chunks.get(i));
        }
      }
      long survivors = 188 * (2 << 10);
      pool.trim();
      PoolInvariants.check(pool);
      assertThat(pool.residentBytes()).isLessThanOrEqualTo(2 * survivors);
      for (int i = 0; i < 3000; i += 16) {
        assertThat(RawMemory.run(chunks.get(i), 2 << 10, (byte) 1)).isEqualTo(2 << 10);
        pool.freeChunk(chunks.get(i));
      }
    }
  }

  @Test
  void lifetimes_thatDiffer_shareNoGranule() {
    try (MemoryPool pool = pool().create()) {
      Owner dead = pool.owner().child("dead").create();
      Owner alive = pool.owner().child("alive").lifetime(Lifetime.LONG).create();
      List<Long> chunks = new ArrayList<>();
      List<Long> survivors = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        boolean survives = i % 16 == 0;
        long chunk = (survives ? alive : dead).allocateChunk(2 << 10);
        (survives ? survivors : chunks).add(chunk);
      }
      chunks.forEach(pool::freeChunk);
      pool.decay();
      pool.decay();
      assertThat(pool.snapshot().committedBytes())
          .isLessThanOrEqualTo(survivors.size() * 2048L + GRANULE);
      survivors.forEach(pool::freeChunk);
    }
  }

  @Test
  void map_showsWhatIsWhere() {
    try (MemoryPool pool = pool().reserveLimit(4 << 20).create()) {
      long small = pool.owner().allocateChunk(1);
      long large = pool.owner().allocateChunk(3 * GRANULE);
      assertThat(firstRoot(pool)).hasSize(64).startsWith("+___####____");
      pool.freeChunk(large);
      assertThat(firstRoot(pool)).startsWith("+___....____");
      pool.freeChunk(small);
    }
  }

  private static String firstRoot(MemoryPool pool) {
    return pool.map().lines().toList().get(1);
  }

  @Test
  void snapshot_saysWhoHasWhat() {
    try (MemoryPool pool = pool().limit(1 << 30).create()) {
      Owner owner = pool.owner().child("a").hardLimit(1 << 20).create().child("b").create();
      long chunk = owner.allocateChunk(3000);
      PoolSnapshot snapshot = pool.snapshot();
      assertThat(snapshot.owners())
          .extracting(PoolSnapshot.OwnerShare::owner)
          .containsExactly("pool", "a", "a/b");
      PoolSnapshot.OwnerShare share = snapshot.owners().get(2);
      assertThat(share.handedOutBytes()).isEqualTo(4096);
      assertThat(share.committedBytes()).isEqualTo(GRANULE);
      assertThat(share.pinnedBytes()).isEqualTo(GRANULE - 4096);
      assertThat(snapshot.largestFreeBytes()).isEqualTo(4 << 20);
      assertThat(snapshot.toString()).contains("a/b").contains("pinned").contains("1048576");
      pool.freeChunk(chunk);
    }
  }

  /** By then the addresses may be somebody else's. */
  @Test
  void trim_duringAClose_givesNothingBack() throws InterruptedException {
    FakeMemory memory = new FakeMemory();
    MemoryPool pool = pool().memory(memory).create();
    pool.freeChunk(pool.owner().allocateChunk(GRANULE));
    Thread trim = new Thread(pool::trim);
    memory.onRelease =
        () -> {
          trim.start();
          while (trim.getState() != Thread.State.BLOCKED && trim.isAlive()) {
            Thread.onSpinWait();
          }
        };
    pool.close();
    trim.join();
    assertThat(memory.discards).isZero();
  }

  @Test
  void open_hasThePoolsThatAreNotClosed() {
    Budget budget = Budget.ofBytes(1 << 30).create();
    MemoryPool pool = MemoryPool.named("shown").budget(budget).create();
    try (MemoryPool other = MemoryPool.named("other").create()) {
      assertThat(MemoryPool.open()).contains(pool, other);
      assertThat(pool.budget()).isSameAs(budget);
      assertThat(other.budget()).isNull();
      pool.close();
      assertThat(MemoryPool.open()).contains(other).doesNotContain(pool);
    }
  }

  @Test
  void runs_aboveARoot_giveTheirTailBack() {
    try (MemoryPool pool = pool().create()) {
      long run = pool.owner().allocateChunk((5 << 20) + 1);
      assertThat(run % (4 << 20)).isZero();
      assertThat(pool.owner().chargedBytes()).isEqualTo((5 << 20) + GRANULE);
      long inItsTail = pool.owner().allocateChunk(2 << 20);
      assertThat(inItsTail).isEqualTo(run + (6 << 20));
      PoolInvariants.check(pool);
      pool.freeChunk(run);
      pool.freeChunk(inItsTail);
      long huge = pool.owner().allocateChunk(200L << 20);
      pool.freeChunk(huge);
      PoolInvariants.check(pool);
    }
  }

  @Test
  void manyThreads_losesNothing() throws Exception {
    try (MemoryPool pool = pool().create()) {
      Runnable upkeep =
          () -> {
            for (int i = 0; i < 50; i++) {
              pool.decay();
              pool.trim();
              pool.snapshot();
            }
          };
      BlockHeapThreadsTest.together(
          5,
          t -> {
            Owner owner = t % 2 == 0 ? pool.owner() : pool.owner().child("t" + t).create();
            return Executors.callable(t == 4 ? upkeep : new Churn(owner, t));
          });
      PoolInvariants.check(pool);
      assertThat(pool.snapshot().handedOutBytes()).isEqualTo(pool.snapshot().keptBytes());
    }
  }

  /** Keeps free memory for as long as a thread can wait. */
  @Test
  void decay_ofAnyDuration_isPossible() {
    for (Duration decay :
        new Duration[] {Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MIN_VALUE)}) {
      try (MemoryPool pool = MemoryPool.named("decay").decay(decay).create()) {
        pool.freeChunk(pool.owner().allocateChunk(1 << 20));
        pool.trim();
      }
    }
  }
}
