package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A heap of one thread: all that holds for the others, and who may not use it. Its bins have
 * fronts: the first block that is freed while others of its slab are in use is such a front.
 */
final class ConfinedHeapTest extends BlockHeapTest {
  private static final long SLAB_BYTES = 64 << 10;

  @Override
  BlockHeap open(Owner of) {
    return of.openConfinedHeap();
  }

  @Test
  void anyUse_byAnotherThread_isRefused() throws Exception {
    long address = heap.allocate(64);
    List<Callable<Object>> uses =
        List.of(
            () -> heap.allocate(64),
            () -> heap.allocate(0),
            () -> heap.allocate(1 << 20),
            () -> heap.bytesOf(address),
            () -> heap.reallocate(address, 65),
            () -> heap.reallocate(address, 60),
            () -> heap.allocateSegment(64),
            () -> run(() -> heap.free(address)),
            () -> run(heap::freeAll),
            () -> run(heap::close));
    for (Callable<Object> use : uses) {
      assertThatThrownBy(() -> elsewhere(use))
          .isInstanceOf(WrongThreadException.class)
          .hasMessageContaining(Thread.currentThread().toString());
    }
    assertThat(heap.usedBytes()).isEqualTo(64);
  }

  private static Object run(Runnable work) {
    work.run();
    return work;
  }

  private static void elsewhere(Callable<?> work) throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      other.submit(work).get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  void trim_byAnotherThread_isDoneAtTheNextFree() throws Exception {
    long kept = heap.allocate(64);
    heap.free(heap.allocate(1000));
    elsewhere(() -> run(pool::trim));
    assertThat(owner.chargedBytes()).isEqualTo(2 * (64 << 10));
    heap.free(kept);
    assertThat(owner.chargedBytes()).isZero();
  }

  @Test
  void decay_byAnotherThread_isDoneAtTheNextFree() throws Exception {
    long kept = heap.allocate(64);
    heap.free(heap.allocate(1000));
    for (int turn = 0; turn < 2; turn++) {
      assertThat(owner.chargedBytes()).isEqualTo(2 * (64 << 10));
      elsewhere(() -> run(pool::decay));
      heap.free(heap.allocate(64));
    }
    assertThat(owner.chargedBytes()).isEqualTo(64 << 10);
    heap.free(kept);
  }

  @Test
  void look_byAnotherThread_isAllowed() throws Exception {
    long address = heap.allocate(64);
    elsewhere(() -> run(pool::verify));
    elsewhere(() -> run(() -> assertThat(pool.snapshot().usedBytes()).isEqualTo(64)));
    heap.free(address);
  }

  private long[] take(int count, long bytes) {
    long[] blocks = new long[count];
    Arrays.setAll(blocks, i -> heap.allocate(bytes));
    return blocks;
  }

  private long handedOutBytes() {
    return pool.snapshot().handedOutBytes();
  }

  @ParameterizedTest
  @ValueSource(longs = {16, 1000, 32 << 10, 33 << 10, 1 << 20})
  void allocate_afterFree_takesTheBlockInFront(long bytes) {
    long[] blocks = take(4, bytes);
    heap.free(blocks[3]);
    heap.free(blocks[1]);
    pool.verify();
    boolean isLarge = bytes > 32 << 10; // then the one in front makes way for the next
    assertThat(heap.allocate(bytes)).isEqualTo(blocks[isLarge ? 1 : 3]);
    assertThat(heap.allocate(bytes)).isEqualTo(blocks[isLarge ? 3 : 1]);
    assertThat(heap.usedBytes()).isEqualTo(4 * heap.bytesOf(blocks[0]));
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 16 << 10, 32 << 10, 33 << 10, 1 << 20})
  void free_ofSeveralBlocks_eachTwice_isFound(long bytes) throws Exception {
    long[] blocks = take(5, bytes);
    long each = heap.bytesOf(blocks[0]);
    for (int i = 1; i <= blocks.length; i++) {
      long used = (blocks.length - i) * each;
      heap.free(blocks[i % blocks.length]);
      for (int j = 1; j <= i; j++) {
        long free = blocks[j % blocks.length];
        assertThatThrownBy(() -> heap.free(free)).isInstanceOf(DoubleFreeException.class);
        assertThatThrownBy(() -> heap.bytesOf(free)).isInstanceOf(DoubleFreeException.class);
        assertThatThrownBy(() -> heap.reallocate(free, 7)).isInstanceOf(DoubleFreeException.class);
      }
      assertThat(heap.usedBytes()).isEqualTo(used);
      elsewhere(() -> run(() -> assertThat(pool.snapshot().usedBytes()).isEqualTo(used)));
      pool.verify();
    }
    assertThat(Arrays.stream(take(5, bytes)).distinct()).hasSize(5);
  }

  @Test
  void use_byAnotherThread_ofTheBlockInFront_isRefused() {
    long kept = heap.allocate(64);
    long front = heap.allocate(64);
    heap.free(front);
    List<Callable<Object>> uses =
        List.of(
            () -> heap.allocate(64),
            () -> heap.bytesOf(front),
            () -> heap.reallocate(front, 65),
            () -> run(() -> heap.free(front)));
    for (Callable<Object> use : uses) {
      assertThatThrownBy(() -> elsewhere(use)).isInstanceOf(WrongThreadException.class);
    }
    assertThatThrownBy(() -> heap.free(front)).isInstanceOf(DoubleFreeException.class);
    assertThat(heap.usedBytes()).isEqualTo(64);
    assertThat(heap.allocate(64)).isEqualTo(front);
    heap.free(kept);
  }

  /** The second block is in front, of a slab that may stay. */
  @ParameterizedTest
  @ValueSource(longs = {64, 16 << 10, 33 << 10, 1 << 20})
  void trim_withABlockInFront_givesItsMemoryBack(long bytes) {
    for (int i = 0; i < 2; i++) {
      heap.free(heap.allocate(bytes));
    }
    assertThat(handedOutBytes()).isPositive();
    pool.trim();
    assertThat(handedOutBytes()).isZero();
  }

  @Test
  void trim_withABlockInFrontBesideAnother_givesItsPagesBack() {
    NativeMemory memory = NativeMemory.ofThisSystem();
    long[] blocks = take(4, 16 << 10);
    for (long block : blocks) {
      RawMemory.fill(block, 16 << 10, (byte) 7);
    }
    heap.free(blocks[2]);
    assertThat(memory.resident(blocks[2], 16 << 10)).isEqualTo(16 << 10);
    pool.trim();
    assertThat(memory.resident(blocks[2], 16 << 10)).isZero();
    assertThat(heap.allocate(16)).isNotEqualTo(blocks[2]);
    assertThat(heap.allocate(16 << 10)).isEqualTo(blocks[2]);
  }

  /** As any free block: it goes after two turns that found it free. */
  @ParameterizedTest
  @ValueSource(longs = {64, 33 << 10})
  void decay_withABlockInFront_givesItBackAfterTwoTurns(long bytes) {
    heap.free(heap.allocate(bytes));
    pool.decay();
    heap.free(heap.allocate(bytes));
    pool.decay();
    assertThat(handedOutBytes()).isPositive();
    pool.verify();
    pool.decay();
    assertThat(handedOutBytes()).isZero();
  }

  /** The slab was full by its bits, so no request would find it. */
  @Test
  void decay_withABlockInFrontOfAFullSlab_makesItUsable() {
    long[] blocks = take(8, 16 << 10);
    heap.free(blocks[1]);
    pool.decay();
    pool.verify();
    assertThat(heap.allocate(16 << 10)).isEqualTo(blocks[1]);
    assertThat(handedOutBytes()).isEqualTo(2 * SLAB_BYTES);
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 33 << 10})
  void close_withABlockInFront_countsTheOthers(long bytes) {
    BlockHeap other = open(owner);
    long kept = other.allocate(bytes);
    other.free(other.allocate(bytes));
    long size = other.bytesOf(kept);
    assertThatThrownBy(other::close)
        .isInstanceOf(LeakedBlocksException.class)
        .hasMessageContaining("blocks of " + size + " bytes");
    assertThat(handedOutBytes()).isZero();
    assertThatThrownBy(() -> other.allocate(bytes)).isInstanceOf(ClosedHeapException.class);
    BlockHeap without = open(owner);
    for (int i = 0; i < 2; i++) {
      without.free(without.allocate(bytes));
    }
    without.close();
    assertThat(handedOutBytes()).isZero();
    assertThatThrownBy(() -> without.allocate(bytes)).isInstanceOf(ClosedHeapException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 33 << 10})
  void freeAll_withABlockInFront_forgetsIt(long bytes) {
    long[] blocks = take(3, bytes);
    heap.free(blocks[1]);
    heap.freeAll();
    assertThat(handedOutBytes()).isZero();
    pool.verify();
    assertThatThrownBy(() -> heap.free(blocks[1])).isInstanceOf(DoubleFreeException.class);
    assertThat(Arrays.stream(take(3, bytes)).distinct()).hasSize(3);
    assertThat(heap.usedBytes()).isEqualTo(3 * heap.bytesOf(heap.allocate(bytes)));
  }

  /** Also if the front is of the slab that empties. */
  @Test
  void free_ofTheLastBlockBesideTheFront_leavesOneEmptySlab() {
    long[] blocks = take(4, 32 << 10);
    heap.free(blocks[0]);
    heap.free(blocks[1]);
    heap.free(blocks[2]);
    heap.free(blocks[3]);
    assertThat(handedOutBytes()).isEqualTo(SLAB_BYTES);
    pool.verify();
    blocks = take(3, 32 << 10);
    heap.free(blocks[2]);
    pool.verify();
    heap.free(blocks[0]);
    pool.verify();
    heap.free(blocks[1]);
    assertThat(handedOutBytes()).isEqualTo(SLAB_BYTES);
    pool.verify();
  }

  /** The slab of the front is the one that may stay: another one that empties must go. */
  @Test
  void free_ofTheLastBlockOfASlab_besideOneThatHasOnlyTheFront_givesItBack() {
    long[] blocks = take(3, 32 << 10);
    heap.free(blocks[0]);
    heap.free(blocks[1]);
    heap.free(heap.allocate(32 << 10)); // in front, of the slab that is empty
    pool.verify();
    heap.free(blocks[2]);
    assertThat(handedOutBytes()).isEqualTo(SLAB_BYTES);
    pool.verify();
  }

  /** The check of a pool finds a front that cannot be one. */
  @Test
  void verify_ofAFrontThatIsNotUsedOrNowhere_throws() {
    long base = 0x7F00_0000_0000L;
    Bin.WithFront bin = new Bin.WithFront();
    SlabMap map = new SlabMap(SLAB_BYTES);
    Slab slab = new Slab(bin, base, base, SLAB_BYTES / 4, 4);
    map.put(slab);
    slab.allocateBlock();
    slab.allocateBlock();
    assertThat(bin.add(slab)).isTrue();
    bin.front = base;
    bin.verify(map);
    assertThat(bin.usedBytes()).isEqualTo(SLAB_BYTES / 4);
    for (long wrong : new long[] {base + 16, base + SLAB_BYTES / 2, base + SLAB_BYTES, 16}) {
      bin.front = wrong;
      assertThatThrownBy(() -> bin.verify(map)).isInstanceOf(IllegalStateException.class);
    }
    bin.front = base;
    bin.freeFront(slab);
    bin.verify(map);
    assertThat(bin.front).isZero();
    assertThat(bin.usedBytes()).isEqualTo(SLAB_BYTES / 4);
  }
}
