package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.offcut.test.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Budgets with a limit in bytes. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class BudgetTest {
  static final long MIB = 1 << 20;
  private static final int GRANULE = 64 << 10;

  static Budget.Builder budget(long bytes) {
    return Budget.ofBytes(bytes).name("all").countDirectBuffers(false);
  }

  static MemoryPool pool(String name, Budget budget) {
    return PoolInvariants.pool(name).budget(budget).memory(new FakeMemory()).create();
  }

  static MemoryLimitException refusal(MemoryPool pool, long bytes) {
    MemoryLimitException refused =
        catchThrowableOfType(
            MemoryLimitException.class, () -> pool.freeChunk(pool.owner().allocateChunk(bytes)));
    assertThat(refused).as("%s bytes of %s", bytes, pool).isNotNull();
    return refused;
  }

  @Test
  void pools_shareTheLimit_andTheLargestHolderIsNamed() {
    Budget budget = budget(8 * MIB).create();
    try (MemoryPool one = pool("one", budget);
        MemoryPool other = pool("other", budget)) {
      Owner cache = one.owner().child("cache").create();
      long large = cache.allocateChunk(4 * MIB);
      long small = other.owner().allocateChunk(2 * MIB);
      MemoryLimitException refused = refusal(other, 4 * MIB);
      assertThat(refused)
          .hasMessageContaining("4194304 bytes for other of pool other: the limit of budget all, ")
          .hasMessageContaining("8388608 bytes (given in bytes), would be exceeded")
          .hasMessageContaining("6291456 bytes are in use, and 2097152 are left")
          .hasMessageContaining("The largest holder is owner cache of pool one with 4194304 bytes");
      assertThat(refused.limitedBy()).isEqualTo("all");
      assertThat(refused.limitBytes()).isEqualTo(8 * MIB);
      assertThat(refused.requestedBytes()).isEqualTo(4 * MIB);
      assertThat(refused.snapshot().pool()).isEqualTo("other");
      PoolInvariants.check(one);
      PoolInvariants.check(other);
      one.freeChunk(large);
      other.freeChunk(other.owner().allocateChunk(4 * MIB)); // what "one" keeps free makes room
      other.freeChunk(small);
      assertThat(budget.snapshot().chargedBytes()).isPositive();
    }
    assertThat(budget.snapshot().chargedBytes()).isZero();
    assertThat(budget.snapshot().roomBytes()).isEqualTo(8 * MIB);
  }

  @Test
  void ownLimitOfAPool_isNamedAsItsOwn() {
    Budget budget = budget(8 * MIB).create();
    try (MemoryPool pool =
        MemoryPool.named("own").limit(MIB).budget(budget).memory(new FakeMemory()).create()) {
      assertThat(refusal(pool, 2 * MIB)).hasMessageContaining("the limit of the pool, 1048576");
      assertThat(budget.charged()).isZero();
    }
  }

  @Test
  void reservation_countsAgainstTheBudget_untilItsClose() {
    Budget budget = budget(4 * MIB).create();
    try (MemoryPool pool = pool("reserving", budget)) {
      Reservation reservation = pool.owner().reserve(3 * MIB);
      assertThat(budget.snapshot().holders())
          .containsExactly(new BudgetSnapshot.Holder("pool reserving", 3 * MIB));
      assertThatThrownBy(() -> pool.owner().reserve(MIB + 1))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("The largest holder is pool reserving with 3145728 bytes");
      pool.owner().reserve(MIB).close();
      reservation.close();
      pool.owner().reserve(4 * MIB).close();
      assertThatThrownBy(() -> pool.owner().reserve(Long.MAX_VALUE))
          .isInstanceOf(MemoryLimitException.class);
      assertThat(budget.charged()).isZero();
    }
  }

  @Test
  void registered_counts_isNamed_andEndsWithItsClose() {
    AtomicLong parser = new AtomicLong(3 * MIB);
    Budget budget = budget(4 * MIB).create();
    Budget.Registration registration = budget.register("parser", parser::get);
    try (MemoryPool pool = pool("beside", budget)) {
      assertThat(refusal(pool, 2 * MIB))
          .hasMessageContaining("The largest holder is parser with 3145728 bytes");
      parser.set(MIB);
      pool.freeChunk(pool.owner().allocateChunk(2 * MIB));
      pool.trim();
      parser.set(4 * MIB);
      registration.close();
      registration.close();
      pool.freeChunk(pool.owner().allocateChunk(4 * MIB));
    }
  }

  @Test
  void limitBelowWhatIsInUse_refusesAndLosesNothing() {
    AtomicLong library = new AtomicLong();
    Budget budget = budget(2 * MIB).create();
    try (MemoryPool pool = pool("late", budget);
        Budget.Registration registration = budget.register("library", library::get)) {
      assertThat(registration).hasToString("library");
      long held = pool.owner().allocateChunk(MIB);
      library.set(5 * MIB);
      budget.turn();
      assertThat(refusal(pool, MIB))
          .hasMessageContaining(
              "the limit of budget all, 2097152 bytes (given in bytes), is"
                  + " exceeded already: 6291456 bytes are in use, and 0 are left. The largest holder is"
                  + " library with 5242880 bytes. Free memory of a holder, or raise the limit");
      assertThat(budget.snapshot().roomBytes()).isEqualTo(-4 * MIB);
      PoolInvariants.check(pool);
      pool.freeChunk(held);
      library.set(0);
      pool.freeChunk(pool.owner().allocateChunk(2 * MIB));
    }
  }

  @Test
  void supplierThatThrows_countsAsBefore_isReportedOnce_andHarmsNobodyElse() {
    AtomicLong bytes = new AtomicLong(MIB);
    Budget budget = budget(4 * MIB).create();
    List<Throwable> told = new ArrayList<>();
    Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> told.add(e));
    try (MemoryPool pool = pool("unrelated", budget);
        Budget.Registration registration =
            budget.register(
                "broken",
                () -> {
                  if (bytes.get() < 0) {
                    throw new UnsatisfiedLinkError("gone");
                  }
                  return bytes.get();
                })) {
      bytes.set(-1);
      assertThat(budget.snapshot().roomBytes()).isEqualTo(3 * MIB);
      pool.freeChunk(pool.owner().allocateChunk(2 * MIB));
      refusal(pool, 4 * MIB);
      assertThat(registration).hasToString("broken");
      assertThat(told).hasSize(1);
      assertThat(told.getFirst())
          .hasMessage("the supplier of broken threw, and 1048576 bytes still count")
          .hasRootCauseInstanceOf(UnsatisfiedLinkError.class);
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(null);
    }
    assertThat(budget.registrations()).isEmpty();
  }

  @Test
  void supplierOfNonsense_usesAll_andHarmsNobodyAfterwards() {
    Budget budget = budget(16 * MIB).create();
    try (MemoryPool pool = pool("beside", budget);
        Budget.Registration one = budget.register("one", () -> Long.MAX_VALUE);
        Budget.Registration other = budget.register("other", () -> Long.MAX_VALUE)) {
      assertThat(refusal(pool, 1)).hasMessageContaining("is exceeded already");
      assertThat(budget.snapshot().roomBytes()).isNegative();
      assertThat(List.of(one, other)).hasSize(2);
    }
    assertThat(budget.snapshot().roomBytes()).isEqualTo(16 * MIB);
  }

  /** A library whose methods all take one lock. */
  @Test
  void supplierThatWaitsForALock_doesNotStopTheThreadThatHasIt() throws Exception {
    ReentrantLock library = new ReentrantLock();
    CountDownLatch waits = new CountDownLatch(1);
    Budget budget = budget(8 * MIB).create();
    try (MemoryPool pool = pool("library", budget)) {
      Thread user =
          Thread.ofPlatform()
              .daemon()
              .unstarted(
                  () -> {
                    library.lock();
                    try {
                      Await.latch(waits);
                      refusal(pool, 9 * MIB);
                    } finally {
                      library.unlock();
                    }
                  });
      budget.register(
          "library",
          () -> {
            if (user.isAlive() && !library.isHeldByCurrentThread()) {
              waits.countDown();
            }
            library.lock();
            try {
              return MIB;
            } finally {
              library.unlock();
            }
          });
      user.start();
      while (!library.isLocked()) {
        Thread.onSpinWait();
      }
      Thread looks = Thread.ofPlatform().daemon().start(budget::turn);
      assertThat(user.join(Duration.ofSeconds(20))).as("the request ended").isTrue();
      assertThat(looks.join(Duration.ofSeconds(20))).as("the look ended").isTrue();
    }
  }

  @Test
  void droppedPool_leavesTheBudget() {
    Budget budget = budget(8 * MIB).create();
    drop(budget);
    assertThat(budget.charged()).isGreaterThanOrEqualTo(5 * MIB);
    for (int i = 0; i < 100 && budget.charged() != 0; i++) {
      System.gc();
      budget.turn();
    }
    assertThat(budget.charged()).isZero();
    assertThat(budget.pools()).isEmpty();
    try (MemoryPool pool = pool("next", budget)) {
      pool.freeChunk(pool.owner().allocateChunk(8 * MIB));
    }
  }

  @SuppressWarnings("resource") // dropped on purpose
  private static void drop(Budget budget) {
    MemoryPool pool = pool("dropped", budget);
    pool.owner().child("cache").create().allocateChunk(4 * MIB);
    pool.owner().reserve(MIB);
  }

  @Test
  void directBuffers_count() {
    Budget budget = Budget.ofBytes(1L << 40).create();
    long before = budget.snapshot().usedBytes();
    ByteBuffer buffer = ByteBuffer.allocateDirect((int) (3 * MIB));
    assertThat(budget.snapshot().usedBytes() - before).isBetween(3 * MIB, 4 * MIB);
    assertThat(buffer.capacity()).isEqualTo(3 * MIB);
    assertThat(budget.snapshot().holders())
        .extracting(BudgetSnapshot.Holder::name)
        .containsExactly("direct buffers");
  }

  @Test
  void margin_isLeftFree_andTheTableAddsUp() {
    Budget budget = budget(4 * MIB).margin(MIB).create();
    try (MemoryPool pool = pool("table", budget)) {
      long chunk = pool.owner().child("part").create().allocateChunk(2 * MIB);
      refusal(pool, 2 * MIB);
      BudgetSnapshot now = budget.snapshot();
      assertThat(now.roomBytes()).isEqualTo(MIB);
      assertAddsUp(now);
      assertThat(now.toString())
          .containsPattern("budget all +4194304")
          .containsPattern("  owner part of pool table +2097152")
          .containsPattern("room +1048576")
          .endsWith("The limit is given in bytes.");
      assertThat(budget).hasToString("all");
      assertThat(budget.limitBytes()).isEqualTo(4 * MIB);
      pool.freeChunk(chunk);
    }
  }

  static void assertAddsUp(BudgetSnapshot now) {
    long kept = now.heapGrowthBytes() + now.untouchedBytes() + now.marginBytes();
    assertThat(now.roomBytes()).isEqualTo(now.limitBytes() - now.usedBytes() - kept);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void limit_notPositive_isRefused(long bytes) {
    assertThatThrownBy(() -> Budget.ofBytes(bytes))
        .isInstanceOf(IllegalSizeException.class)
        .hasMessage("a budget of " + bytes + " bytes: give a positive limit");
  }

  @Test
  void settings_thatMeanNothing_areRefused() {
    Budget.Builder builder = budget(1);
    assertThatThrownBy(() -> builder.name(" ")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.margin(-1)).isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> builder.onShortage(-1, at -> {}))
        .isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> builder.create().register("", () -> 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Many threads on two pools: the granted bytes never exceed the limit, and all comes back. */
  @Test
  void threads_onTwoPools_neverExceedTheLimit() throws Exception {
    long seed = System.nanoTime();
    long limit = 4 * MIB;
    Budget budget = budget(limit).create();
    AtomicLong granted = new AtomicLong();
    AtomicLong refused = new AtomicLong();
    try (MemoryPool one = pool("one", budget);
        MemoryPool other = pool("other", budget)) {
      IntFunction<Callable<?>> work =
          i -> {
            SplittableRandom random = new SplittableRandom(seed + i);
            return Executors.callable(() -> work(random, one, other, granted, refused, limit));
          };
      assertThatCode(() -> BlockHeapThreadsTest.together(4, work))
          .as("seed %s", seed)
          .doesNotThrowAnyException();
      assertThat(refused.get()).as("seed %s", seed).isPositive();
      PoolInvariants.check(one);
      PoolInvariants.check(other);
      assertThat(budget.charged())
          .as("seed %s", seed)
          .isEqualTo(one.allocator().commitment.bytes() + other.allocator().commitment.bytes());
    }
    assertThat(budget.charged()).as("seed %s", seed).isZero();
  }

  private static void work(
      SplittableRandom random,
      MemoryPool one,
      MemoryPool other,
      AtomicLong granted,
      AtomicLong refused,
      long limit) {
    List<Runnable> held = new ArrayList<>();
    for (int turn = 0; turn < 3000; turn++) {
      MemoryPool pool = random.nextBoolean() ? one : other;
      long bytes = (1 + random.nextInt(16)) * (long) GRANULE;
      try {
        if (random.nextInt(4) == 0) {
          Reservation reservation = pool.owner().reserve(bytes);
          held.add(reservation::close);
        } else {
          long chunk = pool.owner().allocateChunk(bytes);
          held.add(() -> pool.freeChunk(chunk));
        }
        if (granted.addAndGet(bytes) > limit) {
          throw new AssertionError(granted + " bytes are granted, of " + limit);
        }
        Runnable last = held.removeLast();
        held.add(
            () -> {
              granted.addAndGet(-bytes);
              last.run();
            });
      } catch (MemoryLimitException e) {
        refused.incrementAndGet();
      }
      while (held.size() > random.nextInt(6)) {
        held.remove(random.nextInt(held.size())).run();
      }
    }
    held.forEach(Runnable::run);
  }

  /** A pool that closes while others ask it to give back is left alone. */
  @Test
  void pools_thatComeAndGo_whileOthersAreRefused() throws Exception {
    Budget budget = budget(4 * MIB).create();
    try (MemoryPool stays = pool("stays", budget)) {
      long most = stays.owner().allocateChunk(2 * MIB);
      CompletableFuture<Void> asks =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 300; i++) {
                  refusal(stays, 64 * MIB);
                }
              });
      while (!asks.isDone()) {
        try (MemoryPool goes = pool("goes", budget)) {
          goes.freeChunk(goes.owner().allocateChunk(MIB));
        }
      }
      asks.join();
      assertThat(budget.pools()).hasSize(1);
      stays.freeChunk(most);
    }
    assertThat(budget.charged()).isZero();
    assertThatCode(budget::snapshot).doesNotThrowAnyException();
  }
}
