package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each level finds; {@link GuardPageTest} has what ends the JVM. */
final class HardenedHeapTest {
  private static final long MIB = 1 << 20;

  private final MemoryPool pool = PoolInvariants.pool("hardened").limit(64 * MIB).create();
  private final Owner owner = pool.owner().child("user").create();
  private final BlockHeap full = owner.openHeap(Hardening.FULL);
  private final BlockHeap sampled = owner.openHeap(Hardening.sampled(1));

  @AfterEach
  void everythingComesHome() {
    PoolInvariants.check(pool);
    full.freeAll();
    full.close();
    sampled.freeAll();
    sampled.close();
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().handedOutBytes()).isZero();
    pool.close();
  }

  private static void write(long address) {
    RawMemory.ALL.set(JAVA_BYTE, address, (byte) 0);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 16, 24, 100, 5_000, 100_000, 5 * MIB})
  void full_overflowByOne_isFoundByTheFree(long bytes) {
    long address = full.allocate(bytes);
    write(address + bytes);
    CorruptedBlockException found =
        catchThrowableOfType(CorruptedBlockException.class, () -> full.free(address));
    assertThat(found)
        .hasMessageStartingWith("0x" + Long.toHexString(address))
        .hasMessageContaining(" of " + bytes + " bytes of the heap of user: ")
        .hasMessageContaining("has changed at byte " + bytes);
    assertThat(full.usedBytes()).isZero();
    assertThatThrownBy(() -> full.free(address)).isInstanceOf(DoubleFreeException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 24, 5_000, 100_000})
  void full_reallocateOfAnOverflownBlock_changesNothing(long bytes) {
    long address = full.allocate(bytes);
    RawMemory.fill(address, bytes, (byte) 7);
    write(address + bytes);
    long used = full.usedBytes();
    assertThatThrownBy(() -> full.reallocate(address, 2 * bytes))
        .isInstanceOf(CorruptedBlockException.class)
        .hasMessageContaining("has changed at byte " + bytes)
        .hasMessageEndingWith("The block is unchanged: copy what you need, and free it");
    assertThat(full.usedBytes()).isEqualTo(used);
    assertThat(RawMemory.run(address, bytes, (byte) 7)).isEqualTo(bytes);
    assertThatThrownBy(() -> full.free(address)).isInstanceOf(CorruptedBlockException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {16, 100, 5_000})
  void full_underflowByOne_isFoundByTheFreeOfTheBlockBefore(long bytes) {
    long before = full.allocate(bytes);
    long address = full.allocate(bytes);
    assertThat(address).isGreaterThan(before);
    write(address - 1);
    full.free(address);
    assertThatThrownBy(() -> full.free(before)).isInstanceOf(CorruptedBlockException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {16, 100, 5_000})
  void full_writeAfterFree_isFoundWhenItIsHandedOutAgain(long bytes) {
    full.allocate(bytes);
    long address = full.allocate(bytes);
    full.free(address);
    write(address + bytes - 1);
    pool.trim(); // out of quarantine
    CorruptedBlockException found =
        catchThrowableOfType(CorruptedBlockException.class, () -> full.allocate(bytes));
    assertThat(found)
        .hasMessageStartingWith("0x" + Long.toHexString(address))
        .hasMessageContaining("byte " + (bytes - 1) + " has changed");
    assertThat(full.allocate(bytes)).isEqualTo(address);
  }

  @Test
  void full_freeBlock_waitsInQuarantine() {
    long first = full.allocate(100);
    full.free(first);
    for (int i = 1; i < MIB / 112; i++) { // 112 bytes each
      long address = full.allocate(100);
      assertThat(address).isNotEqualTo(first);
      full.free(address);
    }
    for (int i = 0; i < 1_000; i++) {
      full.free(full.allocate(MIB / 8));
    }
    assertThat(owner.chargedBytes()).isLessThan(4 * MIB);
  }

  @Test
  void full_reallocate_alwaysMoves() {
    long address = full.allocate(100);
    RawMemory.fill(address, 100, (byte) 5);
    long moved = full.reallocate(address, 101);
    assertThat(moved).isNotEqualTo(address);
    assertThat(RawMemory.run(moved, 100, (byte) 5)).isEqualTo(100);
    assertThatThrownBy(() -> full.reallocate(address, 102)).isInstanceOf(DoubleFreeException.class);
  }

  @Test
  void full_freedBlock_isPoisoned() {
    long address = full.allocate(100);
    RawMemory.fill(address, 100, (byte) 5);
    full.free(address);
    assertThat(RawMemory.run(address, 100, (byte) 0xDE)).isEqualTo(100);
  }

  @Test
  void full_bytesOf_isWhatWasAskedFor() {
    assertThat(full.bytesOf(full.allocate(101))).isEqualTo(101);
    assertThat(full.bytesOf(full.allocate(100_001))).isEqualTo(100_001);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 16, 100, 4096, 61_424, 61_440, 100_000, MIB})
  void sampled_block_canBeUsedWholeAndEndsWhereAPageBegins(long bytes) {
    long address = sampled.allocate(bytes);
    long usable = sampled.bytesOf(address);
    assertThat(usable).isGreaterThanOrEqualTo(bytes).isLessThan(bytes + 16);
    assertThat((address + usable) % pool.allocator().memory.pageBytes()).isZero();
    RawMemory.fill(address, usable, (byte) 1);
    long moved = sampled.reallocate(address, 2 * bytes + 32);
    assertThat(RawMemory.run(moved, bytes, (byte) 1)).isEqualTo(bytes);
    assertThatThrownBy(() -> sampled.free(address)).isInstanceOf(DoubleFreeException.class);
    assertThatThrownBy(() -> sampled.free(moved - 16)).isInstanceOf(ForeignFreeException.class);
    sampled.free(moved);
    assertThatThrownBy(() -> sampled.free(moved)).isInstanceOf(DoubleFreeException.class);
    assertThat(sampled.usedBytes()).isZero();
  }

  @Test
  void sampled_manyBlocks_areGuardedUpToABound() {
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      blocks.add(sampled.allocate(64));
    }
    assertThat(owner.chargedBytes()).isLessThan(32 * MIB);
    blocks.forEach(sampled::free);
    assertThat(sampled.usedBytes()).isZero();
  }

  @Test
  void everyLevel_randomOperations_findNothingWhereNothingIs() {
    long seed = Long.getLong("offcut.seed", System.nanoTime());
    System.out.println("HardenedHeapTest: -Doffcut.seed=" + seed);
    Random random = new Random(seed);
    for (Hardening level : List.of(Hardening.FULL, Hardening.sampled(1), Hardening.sampled(50))) {
      BlockHeap heap = owner.openHeap(level);
      long[] blocks = new long[300];
      for (int i = 0; i < 20_000; i++) {
        int at = random.nextInt(blocks.length);
        if (blocks[at] != 0) {
          long bytes = heap.bytesOf(blocks[at]);
          byte pattern = (byte) at;
          assertThat(RawMemory.run(blocks[at], bytes, pattern)).isEqualTo(bytes);
          heap.free(blocks[at]);
        }
        long bytes = 1L + random.nextInt(1 << (1 + random.nextInt(17)));
        blocks[at] = heap.allocate(bytes);
        RawMemory.fill(blocks[at], heap.bytesOf(blocks[at]), (byte) at);
        if (i % 1000 == 0) {
          PoolInvariants.check(pool);
        }
      }
      heap.freeAll();
      heap.close();
    }
  }
}
