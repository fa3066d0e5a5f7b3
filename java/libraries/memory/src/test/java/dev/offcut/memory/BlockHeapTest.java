package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.Handles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockHeapTest {
  final MemoryPool pool = PoolInvariants.pool("heap").limit(64 << 20).create();

  final Owner owner = pool.owner().child("user").create();
  final BlockHeap heap = open(owner);

  BlockHeap open(Owner of) {
    return of.openHeap();
  }

  @AfterEach
  void everythingComesHome() {
    PoolInvariants.check(pool);
    heap.freeAll();
    heap.close();
    PoolInvariants.check(pool);
    assertThat(pool.snapshot().handedOutBytes()).isZero();
    pool.close();
  }

  @Test
  void allocate_everySize_holdsItAndWastesLittle() {
    for (long bytes = 1; bytes <= 70_000; bytes += bytes < 2_000 ? 1 : 61) {
      long address = heap.allocate(bytes);
      long usable = heap.bytesOf(address);
      assertThat(address % SizeClasses.ALIGNMENT).isZero();
      assertThat(usable).isGreaterThanOrEqualTo(bytes);
      double most = bytes <= 2 << 10 ? 0.2 : bytes <= 20 << 10 ? 0.25 : 0.5;
      long left = bytes <= 128 ? SizeClasses.ALIGNMENT : (long) (usable * most);
      assertThat(usable - bytes).as("%d for %d", usable, bytes).isLessThan(left);
      heap.free(address);
    }
    assertThat(heap.usedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 64, 5_000, 32 << 10, (32 << 10) + 1, 64 << 10, 130_000, 5 << 20})
  void bytesOf_block_canBeWrittenWhole(long bytes) {
    long first = heap.allocate(bytes);
    long second = heap.allocate(bytes);
    RawMemory.fill(first, heap.bytesOf(first), (byte) 1);
    RawMemory.fill(second, heap.bytesOf(second), (byte) 2);
    assertThat(RawMemory.run(first, heap.bytesOf(first), (byte) 1)).isEqualTo(heap.bytesOf(first));
    assertThat(heap.usedBytes()).isEqualTo(heap.bytesOf(first) + heap.bytesOf(second));
    assertThat(pool.snapshot().usedBytes()).isEqualTo(heap.usedBytes());
  }

  @Test
  void allocate_large_isCutToGranules() {
    heap.allocate(140_000);
    assertThat(owner.chargedBytes()).isEqualTo(3 * (64 << 10));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void allocate_noSize_isRefused(long bytes) {
    assertThatThrownBy(() -> heap.allocate(bytes)).isInstanceOf(IllegalSizeException.class);
    assertThatThrownBy(() -> heap.allocateSegment(bytes)).isInstanceOf(IllegalSizeException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {65 << 20, 1L << 40, Long.MAX_VALUE})
  void allocate_moreThanTheLimit_saysWhoHoldsWhat(long bytes) {
    assertThatThrownBy(() -> heap.allocate(bytes))
        .isInstanceOf(MemoryLimitException.class)
        .hasMessageContaining("user");
  }

  @ParameterizedTest
  @ValueSource(longs = {16, 64, 5_000, 40_000, 5 << 20})
  void free_twice_isFound(long bytes) {
    long kept = heap.allocate(bytes);
    long address = heap.allocate(bytes);
    heap.free(address);
    assertThatThrownBy(() -> heap.free(address))
        .isInstanceOf(DoubleFreeException.class)
        .hasMessageContaining(Long.toHexString(address));
    assertThatThrownBy(() -> heap.bytesOf(address)).isInstanceOf(DoubleFreeException.class);
    assertThatThrownBy(() -> heap.reallocate(address, 7)).isInstanceOf(DoubleFreeException.class);
    heap.free(kept);
    pool.trim();
    assertThatThrownBy(() -> heap.free(kept)).isInstanceOf(DoubleFreeException.class);
  }

  @Test
  void free_whatIsNoBlockOfTheHeap_isFound() {
    long small = heap.allocate(64);
    long large = heap.allocate(1 << 20);
    long chunk = owner.allocateChunk(64 << 10);
    try (BlockHeap other = open(owner);
        Arena arena = Arena.ofConfined()) {
      long others = other.allocate(64);
      long outside = arena.allocate(64).address();
      for (long address :
          new long[] {
            small + 1,
            small + 16,
            large + 1,
            large + (64 << 10),
            chunk,
            others,
            outside,
            0,
            -1,
            16,
            Long.MAX_VALUE,
            Long.MIN_VALUE
          }) {
        assertThatThrownBy(() -> heap.free(address)).isInstanceOf(ForeignFreeException.class);
      }
      other.free(others);
    }
    assertThat(heap.usedBytes()).isEqualTo(64 + (1 << 20));
    pool.freeChunk(chunk);
  }

  @Test
  void close_withBlocksOut_closes_andTellsOfThem() {
    BlockHeap closed = open(owner);
    closed.allocate(100);
    assertThatThrownBy(closed::close)
        .isInstanceOf(LeakedBlocksException.class)
        .hasMessageContaining("112 bytes");
    closed.close();
    assertThatThrownBy(() -> closed.allocate(64)).isInstanceOf(ClosedHeapException.class);
  }

  @Test
  void body_thatThrows_leavesNoHeapOpen() {
    Owner ending = pool.owner().child("ending").create();
    assertThatThrownBy(
            () -> {
              try (BlockHeap closed = open(ending)) {
                closed.allocate(100);
                throw new UncheckedIOException(new IOException("the body's"));
              }
            })
        .isInstanceOf(UncheckedIOException.class)
        .satisfies(e -> assertThat(e.getSuppressed()[0]).isInstanceOf(LeakedBlocksException.class));
    ending.close(); // refuses while a heap is open
  }

  @Test
  void close_thenUse_isRefused() {
    BlockHeap closed = open(owner);
    long address = closed.allocate(64);
    closed.freeAll();
    closed.close();
    closed.close();
    assertThatThrownBy(() -> closed.allocate(64)).isInstanceOf(ClosedHeapException.class);
    assertThatThrownBy(() -> closed.allocate(1 << 20)).isInstanceOf(ClosedHeapException.class);
    assertThatThrownBy(() -> closed.free(address)).isInstanceOf(ClosedHeapException.class);
    assertThat(owner.heaps().isEmpty()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 1 << 20})
  void close_whileAChunkIsFetched_givesItBack(long bytes) {
    AtomicReference<BlockHeap> opened = new AtomicReference<>();
    Owner passing =
        pool.owner()
            .child("passing")
            .softLimit(1, any -> Objects.requireNonNull(opened.get()).close())
            .create();
    BlockHeap closing = open(passing);
    opened.set(closing);
    assertThatThrownBy(() -> closing.allocate(bytes)).isInstanceOf(ClosedHeapException.class);
    assertThat(passing.chargedBytes()).isZero();
  }

  @Test
  void freeAll_thenFree_isADoubleFree() {
    long small = heap.allocate(64);
    long large = heap.allocate(1 << 20);
    heap.freeAll();
    assertThat(pool.snapshot().handedOutBytes()).isZero();
    assertThatThrownBy(() -> heap.free(small)).isInstanceOf(DoubleFreeException.class);
    assertThatThrownBy(() -> heap.free(large)).isInstanceOf(DoubleFreeException.class);
    heap.free(heap.allocate(64));
  }

  @Test
  void reallocate_sameClass_staysInPlace() {
    long address = heap.allocate(100);
    assertThat(heap.reallocate(address, 112)).isEqualTo(address);
    assertThat(heap.reallocate(address, 97)).isEqualTo(address);
    long large = heap.allocate(70_000);
    assertThat(heap.reallocate(large, 128 << 10)).isEqualTo(large);
  }

  @Test
  void reallocate_otherSizes_keepsWhatFits() {
    long address = heap.allocate(16);
    RawMemory.fill(address, 16, (byte) 9);
    long kept = 16;
    for (long bytes : new long[] {17, 300, 40_000, 5 << 20, 70_000, 200, 24}) {
      address = heap.reallocate(address, bytes);
      kept = Math.min(kept, bytes);
      assertThat(RawMemory.run(address, kept, (byte) 9)).isEqualTo(kept);
    }
    heap.free(address);
    assertThat(heap.usedBytes()).isZero();
  }

  @Test
  void reallocate_refused_leavesTheBlock() {
    long address = heap.allocate(100);
    RawMemory.fill(address, 100, (byte) 7);
    assertThatThrownBy(() -> heap.reallocate(address, 100 << 20))
        .isInstanceOf(MemoryLimitException.class);
    assertThatThrownBy(() -> heap.reallocate(address, 0)).isInstanceOf(IllegalSizeException.class);
    assertThat(RawMemory.run(address, 100, (byte) 7)).isEqualTo(100);
    heap.free(address);
  }

  @Test
  void allocateSegment_hasExactBounds() {
    MemorySegment segment = heap.allocateSegment(100);
    assertThat(segment.byteSize()).isEqualTo(100);
    assertThatThrownBy(() -> segment.get(JAVA_BYTE, 100))
        .isInstanceOf(IndexOutOfBoundsException.class);
    heap.free(segment.asSlice(0, 10));
    assertThat(heap.usedBytes()).isZero();
  }

  @Test
  void decay_givesEmptySlabsBack() {
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      blocks.add(heap.allocate(1000));
    }
    blocks.forEach(heap::free);
    assertThat(pool.snapshot().handedOutBytes()).isEqualTo(64 << 10); // one stays
    pool.decay();
    assertThat(pool.snapshot().handedOutBytes()).isEqualTo(64 << 10);
    heap.free(heap.allocate(1000)); // in use since
    pool.decay();
    assertThat(pool.snapshot().handedOutBytes()).isEqualTo(64 << 10);
    pool.decay();
    assertThat(pool.snapshot().handedOutBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {33 << 10, 1 << 20, 8 << 20})
  void free_largeBlock_isHandedOutAgain(long bytes) {
    long address = heap.allocate(bytes);
    heap.free(address);
    assertThat(heap.usedBytes()).isZero();
    assertThat(heap.allocate(bytes + (64 << 10))).as("another size").isNotEqualTo(address);
    assertThat(heap.allocate(bytes)).isEqualTo(address);
    assertThat(heap.allocate(bytes)).isNotEqualTo(address);
    PoolInvariants.check(pool);
  }

  @Test
  void free_largeBlocks_atMostSomeStay() {
    assertThat(handedOutAfter(100, 64 << 10)).isEqualTo(100 * (64 << 10));
    assertThat(handedOutAfter(200, 64 << 10)).isEqualTo(8 << 20);
    assertThat(handedOutAfter(12, 1 << 20)).isEqualTo(8 << 20);
    assertThat(handedOutAfter(2, 5 << 20)).isEqualTo(5 << 20);
    assertThat(handedOutAfter(2, 9 << 20)).isZero();
  }

  private long handedOutAfter(int count, long bytes) {
    pool.trim();
    List<Long> blocks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      blocks.add(heap.allocate(bytes));
    }
    blocks.forEach(heap::free);
    PoolInvariants.check(pool);
    return pool.snapshot().handedOutBytes();
  }

  @Test
  void decay_givesBackTheLargeBlocksThatNobodyTook() {
    long often = heap.allocate(100_000);
    heap.free(heap.allocate(500_000));
    heap.free(often);
    pool.decay();
    assertThat(heap.allocate(100_000)).isEqualTo(often);
    heap.free(often);
    pool.decay();
    assertThat(pool.snapshot().handedOutBytes()).isEqualTo(128 << 10);
    pool.decay();
    assertThat(pool.snapshot().handedOutBytes()).isZero();
  }

  @Test
  void trim_givesEmptySlabsBackAtOnce() {
    heap.free(heap.allocate(64));
    pool.trim();
    assertThat(pool.snapshot().handedOutBytes()).isZero();
  }

  /** One that stays, also after the one before it went. */
  @Test
  void free_ofTheLastBlock_leavesOneEmptySlab() {
    long slabBytes = 64L << 10;
    heap.free(heap.allocate(64));
    assertThat(pool.snapshot().handedOutBytes()).isEqualTo(slabBytes);
    pool.trim();
    long[] blocks = new long[(int) (2 * slabBytes / 64)];
    Arrays.setAll(blocks, i -> heap.allocate(64));
    Arrays.stream(blocks).forEach(heap::free);
    assertThat(pool.snapshot().handedOutBytes()).isEqualTo(slabBytes);
    PoolInvariants.check(pool);
  }

  @ParameterizedTest
  @ValueSource(longs = {16, 48, 1000, 3000, 16 << 10})
  void trim_givesBackPagesThatNoBlockInUseTouches(long bytes) {
    NativeMemory memory = NativeMemory.ofThisSystem();
    int count = (int) ((4 << 20) / bytes);
    long[] blocks = new long[count];
    for (int i = 0; i < count; i++) {
      blocks[i] = heap.allocate(bytes);
      RawMemory.fill(blocks[i], heap.bytesOf(blocks[i]), (byte) 7);
    }
    long page = memory.pageBytes();
    Set<Long> touched = new HashSet<>();
    Set<Long> slabs = new HashSet<>();
    for (int i = 0; i < count; i++) {
      if (i % (count / 20) == 0) {
        slabs.add(blocks[i] & -(64L << 10));
        long last = blocks[i] + heap.bytesOf(blocks[i]) - 1;
        for (long at = blocks[i] & -page; at <= last; at += page) {
          touched.add(at);
        }
      } else {
        heap.free(blocks[i]);
      }
    }
    pool.trim();
    long resident = 0;
    for (long slab : slabs) {
      resident += memory.resident(slab, 64 << 10);
    }
    assertThat(resident).isEqualTo(touched.size() * page);
    PoolInvariants.check(pool);
    for (int i = 0; i < count; i += count / 20) {
      assertThat(RawMemory.run(blocks[i], heap.bytesOf(blocks[i]), (byte) 7))
          .isEqualTo(heap.bytesOf(blocks[i]));
    }
    for (int i = 0; i < 100; i++) {
      heap.allocate(bytes);
    }
  }

  @Test
  void forgottenHeap_givesItsChunksBack() {
    assertThat(Handles.drain(Duration.ofMinutes(1))).isTrue(); // of the heaps of other tests
    long before = forgotten();
    forget();
    assertThat(Handles.drain(Duration.ofMinutes(1))).isTrue();
    assertThat(owner.chargedBytes()).isZero();
    assertThat(forgotten()).isEqualTo(before + 1);
    assertThat(owner.heaps().isEmpty()).isFalse();
  }

  private static long forgotten() {
    return Handles.snapshot().types().stream()
        .filter(type -> type.name().equals("block heap"))
        .mapToLong(HandleSnapshot.OfType::forgotten)
        .sum();
  }

  private void forget() {
    BlockHeap dropped = open(owner);
    dropped.allocate(100);
    dropped.allocate(1 << 20);
    assertThat(owner.chargedBytes()).isPositive();
  }
}
