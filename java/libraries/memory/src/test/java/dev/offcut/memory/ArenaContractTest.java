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
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the documentation of {@link Arena} and {@code SegmentAllocator} promises, point by point.
 */
@SuppressWarnings("restricted") // calls C
final class ArenaContractTest {
  private final MemoryPool pool = MemoryPool.named("contract").create();

  @AfterEach
  void closePool() {
    PoolInvariants.check(pool);
    pool.close();
  }

  private PoolArena open(boolean shared) {
    return shared ? pool.owner().openSharedArena() : pool.owner().openArena();
  }

  /** The pool could not be closed if a chunk were out. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_cleanupActionThatThrows_givesTheMemoryBack(boolean shared) {
    PoolArena arena = open(shared);
    var block = arena.allocate(100);
    var unused =
        block.reinterpret(
            arena,
            of -> {
              throw new IllegalStateException("thrown by a cleanup action");
            });
    assertThatThrownBy(arena::close).hasMessageContaining("cleanup action");
    assertThat(arena.scope().isAlive()).isFalse();
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocate_wrongArguments_areRefused(boolean shared) {
    try (PoolArena arena = open(shared)) {
      for (long bytes : new long[] {-1, Long.MIN_VALUE, -16}) {
        assertThatThrownBy(() -> arena.allocate(bytes))
            .isInstanceOf(IllegalArgumentException.class);
      }
      for (long alignment : new long[] {0, -1, 3, 6, 24, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> arena.allocate(8, alignment))
            .as("alignment %d", alignment)
            .isInstanceOf(IllegalArgumentException.class);
      }
      for (long bytes : new long[] {1L << 43, 1L << 60, 1L << 62, Long.MAX_VALUE}) {
        assertThatThrownBy(() -> arena.allocate(bytes)).isInstanceOf(MemoryLimitException.class);
        arena.allocate(1); // so that the next one would extend a line
      }
      assertThatThrownBy(() -> arena.allocate(8, 1L << 62))
          .isInstanceOf(MemoryLimitException.class);
      assertThatThrownBy(() -> arena.allocate(MemoryLayout.sequenceLayout(3, JAVA_INT), -1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocate(JAVA_INT, Long.MAX_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocate_afterClose_isRefused(boolean shared) {
    PoolArena arena = open(shared);
    MemorySegment block = arena.allocate(64);
    arena.close();
    assertThat(arena.scope().isAlive()).isFalse();
    assertThat(block.scope().isAlive()).isFalse();
    assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.allocate(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> arena.allocateUninitialized(8, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> block.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_withoutAnyBlock_works(boolean shared) {
    PoolArena arena = open(shared);
    arena.close();
    assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void confined_anotherThread_isRefused() throws InterruptedException {
    try (PoolArena arena = open(false)) {
      MemorySegment block = arena.allocate(8);
      assertThat(inThread(() -> arena.allocate(8))).isInstanceOf(WrongThreadException.class);
      assertThat(inThread(() -> arena.allocateUninitialized(8, 8)))
          .isInstanceOf(WrongThreadException.class);
      assertThat(inThread(arena::close)).isInstanceOf(WrongThreadException.class);
      assertThat(inThread(() -> block.get(JAVA_BYTE, 0))).isInstanceOf(WrongThreadException.class);
      block.set(JAVA_BYTE, 0, (byte) 1);
    }
  }

  @Test
  void shared_anotherThread_mayAllocateAndClose() throws InterruptedException {
    PoolArena arena = open(true);
    assertThat(inThread(() -> arena.allocate(8).set(JAVA_LONG, 0, 1))).isNull();
    assertThat(inThread(arena::close)).isNull();
    assertThat(arena.scope().isAlive()).isFalse();
  }

  private static @Nullable Throwable inThread(Runnable what) throws InterruptedException {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(what);
    thread.setUncaughtExceptionHandler((t, e) -> thrown.set(e));
    thread.start();
    thread.join();
    return thrown.get();
  }

  @ParameterizedTest
  @CsvSource({"false, 1", "false, 100", "true, 100", "false, 5000", "true, 5000"})
  void segments_areNativeExactAlignedZeroAndDisjoint(boolean shared, int most) {
    try (PoolArena arena = open(shared)) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        long bytes = i % most;
        long alignment = 1L << (i % 14);
        MemorySegment block = arena.allocate(bytes, alignment);
        assertThat(block.isNative()).isTrue();
        assertThat(block.isReadOnly()).isFalse();
        assertThat(block.byteSize()).isEqualTo(bytes);
        assertThat(block.address() % alignment).isZero();
        assertThat(block.address()).isNotZero();
        assertThat(block.scope()).isEqualTo(arena.scope());
        assertThat(block.mismatch(MemorySegment.ofArray(new byte[(int) bytes]))).isEqualTo(-1);
        for (MemorySegment other : blocks) {
          assertThat(block.asOverlappingSlice(other)).isEmpty();
          assertThat(block.address()).isNotEqualTo(other.address());
        }
        block.fill((byte) -1);
        blocks.add(block);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void blocks_afterReuse_areZero(boolean shared) {
    for (int round = 0; round < 20; round++) {
      try (PoolArena arena = open(shared)) {
        for (int i = 0; i < 50; i++) {
          MemorySegment block = arena.allocate(1 + 37 * i);
          assertThat(block.mismatch(MemorySegment.ofArray(new byte[1 + 37 * i]))).isEqualTo(-1);
          block.fill((byte) 0xee);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void segment_boundsAreItsOwn(boolean shared) {
    try (PoolArena arena = open(shared)) {
      MemorySegment block = arena.allocate(5);
      assertThatThrownBy(() -> block.get(JAVA_BYTE, 5))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> block.asSlice(0, 6)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allocateFrom_copiesValues(boolean shared) {
    try (PoolArena arena = open(shared)) {
      assertThat(arena.allocateFrom("Zürich").getString(0)).isEqualTo("Zürich");
      assertThat(arena.allocateFrom(JAVA_LONG, 7L).get(JAVA_LONG, 0)).isEqualTo(7);
      assertThat(arena.allocateFrom(JAVA_INT, 1, 2, 3).byteSize()).isEqualTo(12);
      MemorySegment source = arena.allocateFrom(JAVA_INT, 1, 2, 3);
      assertThat(arena.allocateFrom(JAVA_INT, source, JAVA_INT, 4, 2).byteSize()).isEqualTo(8);
      assertThatThrownBy(() -> arena.allocateFrom(JAVA_INT, source, JAVA_LONG, 0, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocateFrom(JAVA_INT, source, JAVA_INT, 0, -1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.allocateFrom(JAVA_INT, source, JAVA_INT, 8, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  /** A comparator called from C, which tries to close the arena that the call is using. */
  record Closing(PoolArena arena, AtomicReference<@Nullable Throwable> thrown) {
    int compare(MemorySegment a, MemorySegment b) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        thrown.set(e);
      }
      return 0;
    }
  }

  @Test
  void close_duringADowncall_isRefusedAndNothingIsGivenBack() throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle qsort =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("qsort"),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    FunctionDescriptor comparing = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS);
    PoolArena arena = open(true);
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    try (Arena stubs = Arena.ofConfined()) {
      MemorySegment array = arena.allocateFrom(JAVA_INT, 2, 1);
      MethodHandle closing =
          MethodHandles.lookup()
              .bind(new Closing(arena, thrown), "compare", comparing.toMethodType());
      MemorySegment compare = linker.upcallStub(closing, comparing, stubs);
      qsort.invokeExact(array, 2L, 4L, compare);
      assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
      assertThat(array.get(JAVA_INT, 0)).isEqualTo(2);
    }
    assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
    arena.close();
  }
}
