package dev.offcut.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Segments that die with their blocks. */
final class ScopedHeapTest {
  private final MemoryPool pool =
      MemoryPool.named("scoped").decay(Duration.ofHours(1)).limit(64 << 20).create();
  private final Owner owner = pool.owner().child("owner").create();

  private static void assertDead(MemorySegment segment) {
    assertThat(segment.scope().isAlive()).isFalse();
    assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void segments_ofAFullGroup_dieWhenItsLastBlockIsFreed() {
    try (BlockHeap heap = owner.openScopedHeap()) {
      List<MemorySegment> segments = new ArrayList<>();
      for (int i = 0; i < ScopedBlocks.GROUP_BLOCKS; i++) {
        MemorySegment segment = heap.allocateSegment(100);
        segment.fill((byte) 1);
        segments.add(segment);
      }
      MemorySegment last = segments.removeLast();
      segments.forEach(heap::free);
      assertThat(last.scope().isAlive()).isTrue();
      assertThat(heap.usedBytes()).isEqualTo(112);
      heap.free(last);
      assertDead(last);
      segments.forEach(ScopedHeapTest::assertDead);
      pool.verify();
    }
    pool.close();
  }

  @Test
  void block_thatWaits_isNotHandedOutAgain_andATrimEndsIt() {
    try (BlockHeap heap = owner.openScopedHeap()) {
      MemorySegment freed = heap.allocateSegment(100);
      heap.free(freed);
      MemorySegment next = heap.allocateSegment(100);
      assertThat(next.address()).isNotEqualTo(freed.address());
      assertThat(freed.scope().isAlive()).isTrue();
      heap.free(next);
      pool.trim();
      assertDead(freed);
      assertDead(next);
      assertThat(pool.snapshot().handedOutBytes()).isZero();
    }
    pool.close();
  }

  @Test
  void block_thatWaits_isFreeForWhoFreesItAgain() {
    try (BlockHeap heap = owner.openScopedHeap()) {
      MemorySegment segment = heap.allocateSegment(100);
      heap.free(segment);
      assertThatThrownBy(() -> heap.free(segment)).isInstanceOf(DoubleFreeException.class);
      assertThatThrownBy(() -> heap.bytesOf(segment.address()))
          .isInstanceOf(DoubleFreeException.class);
      pool.trim();
      assertThatThrownBy(() -> heap.free(segment)).isInstanceOf(DoubleFreeException.class);
      long plain = heap.allocate(100);
      heap.free(plain);
      assertThatThrownBy(() -> heap.free(plain)).isInstanceOf(DoubleFreeException.class);
    }
    pool.close();
  }

  @Test
  void decay_endsGroupsWithoutBlocks_atTheSecondTurn() {
    try (BlockHeap heap = owner.openScopedHeap()) {
      MemorySegment freed = heap.allocateSegment(100);
      heap.free(freed);
      pool.decay();
      assertThat(freed.scope().isAlive()).isTrue();
      pool.decay();
      assertDead(freed);
      MemorySegment held = heap.allocateSegment(100);
      pool.decay();
      pool.decay();
      assertThat(held.scope().isAlive()).isTrue();
      heap.free(held);
    }
    pool.close();
  }

  @Test
  void limit_isMetAfterWhatWaitsCameBack() {
    try (Owner small = pool.owner().child("small").hardLimit(4 << 20).create();
        BlockHeap heap = small.openScopedHeap()) {
      for (int i = 0; i < 100; i++) {
        heap.free(heap.allocateSegment(700_000));
      }
      pool.verify();
    }
    pool.close();
  }

  @Test
  void freeAllAndClose_endEverySegment() {
    BlockHeap heap = owner.openScopedHeap();
    MemorySegment one = heap.allocateSegment(100);
    MemorySegment two = heap.allocateSegment(100_000);
    heap.freeAll();
    assertDead(one);
    assertDead(two);
    assertThat(heap.usedBytes()).isZero();
    MemorySegment three = heap.allocateSegment(100);
    assertThatThrownBy(heap::close).isInstanceOf(LeakedBlocksException.class);
    assertDead(three);
    assertThatThrownBy(() -> heap.allocateSegment(1)).isInstanceOf(ClosedHeapException.class);
    owner.close();
    pool.close();
  }

  /** No memory that a living segment of a freed block covers is handed out. */
  @Test
  void operations_atRandom_neverReuseWhatASegmentReaches() {
    long seed = System.nanoTime();
    System.out.println("ScopedHeapTest: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<MemorySegment> out = new ArrayList<>();
    List<MemorySegment> freed = new ArrayList<>();
    try (BlockHeap heap = owner.openScopedHeap()) {
      for (int i = 0; i < 20_000; i++) {
        if (out.size() > 300 || (!out.isEmpty() && random.nextInt(3) == 0)) {
          MemorySegment segment = out.remove(random.nextInt(out.size()));
          heap.free(segment);
          freed.add(segment);
        } else {
          MemorySegment segment = heap.allocateSegment(1 + random.nextInt(300));
          for (MemorySegment before : freed) {
            assertThat(before.asOverlappingSlice(segment).isPresent() && before.scope().isAlive())
                .isFalse();
          }
          out.add(segment);
        }
        freed.removeIf(segment -> !segment.scope().isAlive());
      }
      out.forEach(heap::free);
      pool.verify();
    }
    pool.close();
  }

  /** Blocks go from thread to thread; what the other one frees dies for both. */
  @Test
  void twoThreads_freeEachOthersSegments() throws InterruptedException {
    AtomicReference<MemorySegment> handed = new AtomicReference<>();
    try (BlockHeap heap = owner.openScopedHeap()) {
      Runnable work =
          () -> {
            for (int i = 0; i < 20_000; i++) {
              MemorySegment segment = heap.allocateSegment(64);
              segment.set(JAVA_BYTE, 63, (byte) i);
              MemorySegment other = handed.getAndSet(segment);
              if (other != null) {
                other.get(JAVA_BYTE, 63);
                heap.free(other);
              }
            }
          };
      Thread one = Thread.ofPlatform().start(work);
      Thread two = Thread.ofPlatform().start(work);
      one.join();
      two.join();
      heap.free(handed.get());
      assertThat(heap.usedBytes()).isZero();
      pool.trim();
      pool.verify();
      assertThat(owner.chargedBytes()).isZero();
    }
    pool.close();
  }

  /**
   * A trim ends groups without blocks; what clears the heap waits for it, or both free the same.
   */
  @Test
  void freeAll_whileAnotherThreadTrims_endsEverySegment() throws InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean over = new AtomicBoolean();
    try (BlockHeap heap = owner.openScopedHeap()) {
      Thread trims =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((thread, thrown) -> failure.set(thrown))
              .start(
                  () -> {
                    while (!over.get()) {
                      pool.trim();
                    }
                  });
      try {
        for (int i = 0; i < 2_000; i++) {
          List<MemorySegment> segments = new ArrayList<>();
          for (int k = 0; k < 20; k++) {
            segments.add(heap.allocateSegment(64));
          }
          segments.forEach(heap::free);
          heap.freeAll();
          assertThat(segments).noneMatch(segment -> segment.scope().isAlive());
        }
      } finally {
        over.set(true);
        trims.join();
      }
      assertThat(failure.get()).isNull();
      assertThat(heap.usedBytes()).isZero();
      pool.verify();
    }
    pool.close();
  }

  /** A native call keeps its segments alive: here one of {@code qsort}, whose comparison closes. */
  @Test
  @SuppressWarnings("restricted") // the calls of C
  void close_whileANativeCallUsesASegment_isFinishedByATrim() throws Throwable {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor compare = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
    MethodHandle qsort =
        linker.downcallHandle(
            linker.defaultLookup().find("qsort").orElseThrow(),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    MethodHandle closing =
        MethodHandles.lookup()
            .findStatic(
                ScopedHeapTest.class,
                "close",
                MethodType.methodType(
                    int.class, BlockHeap.class, MemorySegment.class, MemorySegment.class));
    BlockHeap heap = owner.openScopedHeap();
    MemorySegment segment = heap.allocateSegment(2);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stub = linker.upcallStub(closing.bindTo(heap), compare, arena);
      qsort.invokeExact(segment, 2L, 1L, stub);
    }
    assertThat(segment.scope().isAlive()).isTrue();
    assertThat(owner.chargedBytes()).isPositive();
    pool.trim();
    assertDead(segment);
    assertThat(owner.chargedBytes()).isZero();
    owner.close();
    pool.close();
  }

  @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // called by qsort
  private static int close(BlockHeap heap, MemorySegment one, MemorySegment two) {
    assertThatThrownBy(heap::close).isInstanceOf(IllegalStateException.class);
    return 0;
  }
}
