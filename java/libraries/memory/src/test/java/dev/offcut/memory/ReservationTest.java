package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Charges for memory that others hold. */
final class ReservationTest {
  private static final long MIB = 1 << 20;

  private static MemoryPool.Builder pool() {
    return PoolInvariants.pool("reserved").memory(new FakeMemory());
  }

  @Test
  void reservation_isChargedToItsOwnerAndThoseAbove_untilItsClose() {
    try (MemoryPool pool = pool().create()) {
      Owner above = pool.owner().child("above").create();
      Owner owner = above.child("owner").create();
      Reservation reservation = owner.reserve(3 * MIB + 1);
      assertThat(reservation.owner()).isSameAs(owner);
      assertThat(reservation.bytes()).isEqualTo(3 * MIB + 1);
      assertThat(owner.chargedBytes()).isEqualTo(3 * MIB + 1);
      assertThat(above.chargedBytes()).isEqualTo(3 * MIB + 1);
      PoolSnapshot snapshot = pool.snapshot();
      assertThat(snapshot.externalBytes()).isEqualTo(3 * MIB + 1);
      assertThat(snapshot.owners())
          .extracting(PoolSnapshot.OwnerShare::owner, PoolSnapshot.OwnerShare::externalBytes)
          .contains(tuple("above/owner", 3 * MIB + 1), tuple("above", 0L));
      assertThat(snapshot.toString()).contains("external").contains(String.valueOf(3 * MIB + 1));
      assertThat(snapshot.committedBytes()).isZero();
      PoolInvariants.check(pool);
      reservation.close();
      reservation.close();
      assertThat(pool.owner().chargedBytes()).isZero();
      assertThat(pool.snapshot().externalBytes()).isZero();
      PoolInvariants.check(pool);
    }
  }

  @Test
  void limit_isOfChunksAndReservationsTogether() {
    try (MemoryPool pool = pool().create()) {
      Owner owner = pool.owner().child("limited").hardLimit(MIB).create();
      long chunk = owner.allocateChunk(MIB / 2);
      assertThatThrownBy(() -> owner.reserve(MIB / 2 + 1))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("the limit of limited, 1048576 bytes, would be exceeded");
      try (Reservation reservation = owner.reserve(MIB / 2)) {
        assertThat(reservation.bytes()).isEqualTo(MIB / 2);
        assertThatThrownBy(() -> owner.allocateChunk(1)).isInstanceOf(MemoryLimitException.class);
        PoolInvariants.check(pool);
      }
      pool.freeChunk(owner.allocateChunk(1));
      pool.freeChunk(chunk);
      // What the owner keeps for its next requests makes room.
      owner.reserve(MIB).close();
    }
  }

  @Test
  void limitOfThePool_isOfCommittedMemoryAndReservationsTogether() {
    try (MemoryPool pool = pool().limit(MIB).create()) {
      Reservation most = pool.owner().reserve(MIB - (64 << 10));
      pool.freeChunk(pool.owner().allocateChunk(1024));
      assertThatThrownBy(() -> pool.owner().allocateChunk(128 << 10))
          .isInstanceOf(MemoryLimitException.class)
          .hasMessageContaining("the limit of the pool");
      assertThatThrownBy(() -> pool.owner().reserve((64 << 10) + 1))
          .isInstanceOf(MemoryLimitException.class);
      PoolInvariants.check(pool);
      most.close();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void reserve_nothing_isRefused(long bytes) {
    try (MemoryPool pool = pool().create()) {
      assertThatThrownBy(() -> pool.owner().reserve(bytes))
          .isInstanceOf(IllegalSizeException.class)
          .hasMessageContaining("a reservation of " + bytes);
    }
  }

  @Test
  void reserve_moreThanALongHolds_isRefusedAndChargesNothing() {
    try (MemoryPool pool = pool().create()) {
      Reservation one = pool.owner().reserve(Long.MAX_VALUE - 10);
      assertThatThrownBy(() -> pool.owner().reserve(Long.MAX_VALUE))
          .isInstanceOf(MemoryLimitException.class);
      PoolInvariants.check(pool);
      one.close();
      assertThat(pool.owner().chargedBytes()).isZero();
    }
  }

  @Test
  void ownerAndPool_withAReservation_stayOpen() {
    MemoryPool pool = pool().create();
    Owner owner = pool.owner().child("busy").create();
    Reservation reservation = owner.reserve(1);
    assertThatThrownBy(owner::close).isInstanceOf(MemoryInUseException.class);
    assertThatThrownBy(pool::close).isInstanceOf(MemoryInUseException.class);
    reservation.close();
    owner.close();
    assertThatThrownBy(() -> owner.reserve(1)).isInstanceOf(ClosedOwnerException.class);
    pool.close();
    assertThatThrownBy(() -> pool.owner().reserve(1)).isInstanceOf(ClosedPoolException.class);
  }

  @Test
  void softLimit_exceededByAReservation_callsBack() {
    try (MemoryPool pool = pool().create()) {
      AtomicLong seen = new AtomicLong();
      Owner owner =
          pool.owner().child("soft").softLimit(MIB, o -> seen.set(o.chargedBytes())).create();
      owner.reserve(2 * MIB).close();
      assertThat(seen).hasValue(2 * MIB);
    }
  }
}
