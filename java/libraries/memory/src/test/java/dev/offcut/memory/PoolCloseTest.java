package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The close of a pool or an owner while a request is under way; {@code java/evidence/stress} has
 * the race.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class PoolCloseTest {
  private static final long MIB = 1 << 20;

  /** What is asked of an owner. */
  enum Request {
    CHUNK,
    LARGE_CHUNK,
    ARENA,
    SHARED_ARENA,
    RESERVATION;

    void accept(Owner owner) {
      switch (this) {
        case CHUNK -> owner.allocateChunk(4096);
        case LARGE_CHUNK -> owner.allocateChunk(5 * MIB);
        case ARENA -> owner.openArena().allocate(1);
        case SHARED_ARENA -> owner.openSharedArena().allocate(200_000);
        case RESERVATION -> owner.reserve(MIB);
      }
    }
  }

  private final FakeMemory memory = new FakeMemory();

  /** A budget that is full until its function for short memory has run. */
  private static Budget budget(Runnable duringARequest) {
    Budget.@Nullable Registration[] all = {null};
    Budget budget =
        Budget.ofBytes(8 * MIB)
            .countDirectBuffers(false)
            .onShortage(
                0,
                short_ -> {
                  Budget.Registration library = all[0];
                  if (library != null) {
                    all[0] = null;
                    library.close();
                    duringARequest.run();
                  }
                })
            .create();
    all[0] = budget.register("library", () -> 8 * MIB);
    return budget;
  }

  private MemoryPool pool(@Nullable Budget budget) {
    MemoryPool.Builder builder = PoolInvariants.pool("closing").memory(memory);
    return budget == null ? builder.create() : builder.budget(budget).create();
  }

  @ParameterizedTest
  @EnumSource
  void request_whilePoolIsClosed_isRefusedAndLeavesNothing(Request what) {
    MemoryPool[] all = {null};
    Budget budget = budget(() -> all[0].close());
    MemoryPool pool = pool(budget);
    all[0] = pool;
    assertThatThrownBy(() -> what.accept(pool.owner()))
        .isInstanceOf(ClosedPoolException.class)
        .hasMessage("pool closing is closed; nothing can be taken from it");
    assertThat(MemoryPool.open()).doesNotContain(pool);
    assertThat(pool.owner().chargedBytes()).isZero();
    assertThat(pool.allocator().regions.all()).isEmpty();
    assertThat(memory.reservable).isEqualTo(Long.MAX_VALUE);
    assertThat(budget.snapshot().usedBytes()).isZero();
    PoolInvariants.check(pool);
  }

  @ParameterizedTest
  @EnumSource
  void request_whileOwnerIsClosed_isRefusedAndLeavesNothing(Request what) {
    Owner[] all = {null};
    Budget budget = budget(() -> all[0].close());
    try (MemoryPool pool = pool(budget)) {
      Owner owner = pool.owner().child("part").create();
      all[0] = owner;
      assertThatThrownBy(() -> what.accept(owner))
          .isInstanceOf(ClosedOwnerException.class)
          .hasMessageContaining("owner part of pool closing is closed");
      assertThat(pool.owner().chargedBytes()).isZero();
      PoolInvariants.check(pool);
    }
  }

  @Test
  void close_withMemoryInUse_namesItAndLeavesEachOwnerOpen() {
    MemoryPool pool = pool(null);
    Owner above = pool.owner().child("above").create();
    Owner holder = above.child("holder").create();
    long chunk = holder.allocateChunk(1);
    assertThatThrownBy(pool::close)
        .isInstanceOf(MemoryInUseException.class)
        .hasMessageStartingWith("pool closing still has memory, heaps or reservations in use")
        .hasMessageContaining("above/holder");
    pool.freeChunk(above.allocateChunk(1));
    above.child("more").create().close();
    pool.freeChunk(chunk);
    pool.close();
    pool.close();
  }

  @Test
  void closedPool_refusesEachOwner() {
    MemoryPool pool = pool(null);
    Owner owner = pool.owner().child("part").create();
    Owner ended = pool.owner().child("ended").create();
    ended.close();
    pool.close();
    for (Request each : Request.values()) {
      assertThatThrownBy(() -> each.accept(owner)).isInstanceOf(ClosedPoolException.class);
    }
    assertThatThrownBy(owner::openHeap).isInstanceOf(ClosedPoolException.class);
    assertThatThrownBy(() -> owner.child("more").create()).isInstanceOf(ClosedPoolException.class);
    assertThatThrownBy(() -> ended.reserve(1)).isInstanceOf(ClosedOwnerException.class);
    owner.close();
  }

  /** Its addresses may be another's by then. */
  @Test
  void regionOfAClosedPool_givesNoPagesBack() {
    MemoryPool pool = pool(null);
    pool.freeChunk(pool.owner().allocateChunk(MIB));
    Region region = pool.allocator().regions.all()[0]; // as a thread that reclaims has it
    pool.close();
    long before = memory.discarded;
    region.lock.lock();
    try {
      region.age();
      region.pages.discardAged();
    } finally {
      region.lock.unlock();
    }
    assertThat(memory.discarded).isEqualTo(before);
    assertThat(pool.allocator().commitment.bytes()).isZero();
  }
}
