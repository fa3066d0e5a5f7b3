package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.Detection;
import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.Handles;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The extent of a thread's own: whose it is, when it comes back, and what is in it. Threads whose
 * ids end alike have the same place, so a thread of the test has the place of an ended one if it is
 * tried often enough.
 */
final class OwnExtentTest {
  private final MemoryPool pool = MemoryPool.named("own").decay(Duration.ofHours(1)).create();
  private final Owner owner = pool.owner().child("owner").create();

  @AfterEach
  void closePool() {
    pool.verify();
    owner.close();
    pool.close();
  }

  private static void inThread(Runnable task) throws InterruptedException {
    Throwable[] failure = {null};
    Thread thread = new Thread(task);
    thread.setUncaughtExceptionHandler((ignored, e) -> failure[0] = e);
    thread.start();
    thread.join();
    assertThat(failure[0]).isNull();
  }

  private long oneBlock(long bytes) {
    try (PoolArena arena = owner.openArena()) {
      return arena.allocate(bytes).fill((byte) 7).address();
    }
  }

  private static long forgotten() {
    return Handles.snapshot().types().stream()
        .filter(type -> type.name().equals("PoolArena"))
        .mapToLong(HandleSnapshot.OfType::forgotten)
        .sum();
  }

  /** What other tests forgot is counted by now. */
  private static long settled() {
    long before = -1;
    while (before != forgotten()) {
      before = forgotten();
      Handles.drain(Duration.ofSeconds(1));
    }
    return before;
  }

  private static long opened() {
    return Handles.snapshot().types().stream()
        .filter(type -> type.name().equals("PoolArena"))
        .mapToLong(HandleSnapshot.OfType::opened)
        .sum();
  }

  @Test
  void arenas_oneAfterTheOther_haveTheSameMemory_andNoHandle() {
    long address = oneBlock(64);
    long before = opened();
    for (int i = 0; i < 1000; i++) {
      assertThat(oneBlock(64)).isEqualTo(address);
    }
    assertThat(opened()).isEqualTo(before);
    assertThat(pool.snapshot().usedBytes()).isZero();
    assertThat(pool.snapshot().keptBytes()).isEqualTo(4 << 10);
  }

  /** What the arena before wrote, whatever it had, is zero: all that was in use is cleared. */
  @ParameterizedTest
  @ValueSource(ints = {1, 16, 17, 63, 64, 65, 100, 128, 500, 4096, 5000, 40_000, 100_000})
  void blocks_ofTheNextArena_areZero(int bytes) {
    for (int round = 0; round < 4; round++) {
      try (PoolArena arena = owner.openArena()) {
        for (int i = 0; i < 3; i++) {
          MemorySegment block = arena.allocate(bytes + i * round);
          for (long at = 0; at < block.byteSize(); at++) {
            assertThat(block.get(ValueLayout.JAVA_BYTE, at)).isZero();
          }
          block.fill((byte) -1);
        }
      }
    }
  }

  @Test
  void close_thatCannotMakeZeros_givesTheMemoryBack() {
    FakeMemory memory = new FakeMemory();
    try (MemoryPool full =
        MemoryPool.named("full").memory(memory).decay(Duration.ofHours(1)).create()) {
      PoolArena arena = full.owner().openArena();
      MemorySegment block = arena.allocate(64).fill((byte) 7);
      memory.onClear =
          () -> {
            memory.onClear = () -> {};
            throw new OutOfMemoryError("as told");
          };
      assertThatThrownBy(arena::close).isInstanceOf(OutOfMemoryError.class);
      assertThat(block.scope().isAlive()).isFalse();
      try (PoolArena next = full.owner().openArena()) {
        MemorySegment zeros = next.allocate(64);
        assertThat(zeros.mismatch(MemorySegment.ofArray(new byte[64]))).isEqualTo(-1);
      }
      full.trim();
      assertThat(full.snapshot().handedOutBytes()).isZero();
      full.verify();
    }
  }

  @Test
  void arenaInAnArena_hasOtherMemory_andBothComeBack() {
    oneBlock(64);
    try (PoolArena outer = owner.openArena()) {
      MemorySegment first = outer.allocate(64).fill((byte) 1);
      try (PoolArena inner = owner.openArena()) {
        MemorySegment second = inner.allocate(64);
        assertThat(second.address()).isNotEqualTo(first.address());
        second.fill((byte) 2);
      }
      MemorySegment more = outer.allocate(64);
      assertThat(more.get(ValueLayout.JAVA_BYTE, 0)).isZero();
      assertThat(first.get(ValueLayout.JAVA_BYTE, 63)).isEqualTo((byte) 1);
    }
    pool.verify();
    assertThat(pool.snapshot().usedBytes()).isZero();
  }

  /** Blocks of one size, of several, and freed: their starts are known however the arena began. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void free_knowsTheBlocksThatWereTakenBefore(int kind) {
    oneBlock(64);
    try (PoolArena arena = owner.openArena()) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        int bytes = kind == 0 ? 48 : 48 + 16 * (i & 1);
        blocks.add(arena.allocate(bytes, kind == 2 ? 64 : 8).fill((byte) 3));
      }
      if (kind == 3) {
        arena.allocate(300_000); // not in what an arena keeps
      }
      for (MemorySegment block : blocks) {
        assertThatThrownBy(() -> arena.free(block.asSlice(16)))
            .isInstanceOf(ForeignFreeException.class);
      }
      arena.free(blocks.get(4));
      assertThatThrownBy(() -> arena.free(blocks.get(4))).isInstanceOf(DoubleFreeException.class);
      MemorySegment again = arena.allocate(48);
      assertThat(again.get(ValueLayout.JAVA_BYTE, 0)).isZero();
      blocks.remove(4);
      blocks.forEach(arena::free);
      pool.verify();
    }
    pool.verify();
    assertThat(pool.snapshot().usedBytes()).isZero();
  }

  /** What an arena freed has bits that the next one in the same memory must not find. */
  @Test
  void free_inTheNextArena_doesNotKnowTheBlocksOfTheOneBefore() {
    for (int round = 0; round < 3 * Settings.SKIPPED_ARENAS; round++) {
      try (PoolArena arena = owner.openArena()) {
        MemorySegment large = arena.allocate(16L * (2 + round % 3));
        MemorySegment small = arena.allocate(16);
        assertThatThrownBy(() -> arena.free(large.asSlice(16)))
            .isInstanceOf(ForeignFreeException.class);
        arena.free(small);
      }
      try (PoolArena arena = owner.openArena()) {
        arena.allocate(16);
        arena.allocate(32);
      }
    }
  }

  /** The owner can be closed although the thread that has the memory knows nothing of it. */
  @Test
  void close_ofTheOwner_takesTheMemoryOfAThreadThatLivesOn() throws InterruptedException {
    Owner other = pool.owner().child("other").create();
    CountDownLatch used = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Throwable[] refused = {null};
    Thread thread =
        new Thread(
            () -> {
              try (PoolArena arena = other.openArena()) {
                arena.allocate(64);
              }
              used.countDown();
              try {
                closed.await();
              } catch (InterruptedException e) {
                return;
              }
              try (PoolArena arena = other.openArena()) {
                arena.allocate(64);
              } catch (ClosedOwnerException e) {
                refused[0] = e;
              }
            });
    thread.start();
    used.await();
    assertThat(other.chargedBytes()).isPositive();
    other.close();
    assertThat(other.chargedBytes()).isZero();
    closed.countDown();
    thread.join();
    assertThat(refused[0]).isInstanceOf(ClosedOwnerException.class);
  }

  @Test
  void close_ofTheOwner_whileAnArenaHasABlock_isRefused() {
    oneBlock(64);
    try (PoolArena arena = owner.openArena()) {
      MemorySegment block = arena.allocate(64).fill((byte) 9);
      assertThatThrownBy(owner::close).isInstanceOf(MemoryInUseException.class);
      pool.trim();
      assertThat(block.get(ValueLayout.JAVA_BYTE, 63)).isEqualTo((byte) 9);
      assertThat(arena.allocate(64).get(ValueLayout.JAVA_BYTE, 0)).isZero();
    }
    assertThat(oneBlock(64)).isPositive();
  }

  @Test
  void arenaWithoutABlock_hasNoMemory() {
    oneBlock(64);
    try (PoolArena arena = owner.openArena()) {
      assertThat(arena.scope().isAlive()).isTrue();
      pool.trim();
      assertThat(owner.chargedBytes()).isZero();
    }
  }

  @Test
  void forgottenArena_ofAThreadThatEnded_comesBackAndIsCounted() throws InterruptedException {
    long before = settled();
    inThread(() -> owner.openArena().allocate(64).fill((byte) 5));
    assertThat(owner.chargedBytes()).isPositive();
    pool.verify();
    pool.trim();
    assertThat(owner.chargedBytes()).isZero();
    for (int i = 0; i < 100 && forgotten() == before; i++) {
      Handles.drain(Duration.ofSeconds(1));
    }
    assertThat(forgotten()).isEqualTo(before + 1);
  }

  /** What is weaker than with a lease; the second arena that is forgotten has one. */
  @Test
  void forgottenArenas_ofAThreadThatLivesOn_comeBackButForOne() throws InterruptedException {
    inThread(
        () -> {
          long before = settled();
          for (int i = 0; i < 3; i++) {
            owner.openArena().allocate(64);
          }
          for (int i = 0; i < 100 && forgotten() < before + 2; i++) {
            Handles.drain(Duration.ofSeconds(1));
          }
          assertThat(forgotten()).isEqualTo(before + 2);
          pool.trim();
          assertThat(pool.snapshot().handedOutBytes()).isEqualTo(4 << 10);
        });
    pool.trim();
    assertThat(pool.snapshot().handedOutBytes()).isZero();
  }

  @Test
  void forgottenArena_whereCallSitesAreRecorded_comesBackWhileItsThreadLives() {
    oneBlock(64);
    Handles.detection(Detection.FULL);
    try {
      long before = settled();
      forget();
      for (int i = 0; i < 100 && forgotten() == before; i++) {
        Handles.drain(Duration.ofSeconds(1));
      }
      assertThat(forgotten()).isEqualTo(before + 1);
    } finally {
      Handles.detection(Detection.COUNT);
    }
    pool.trim();
    assertThat(owner.chargedBytes()).isZero();
  }

  private void forget() {
    owner.openArena().allocate(64);
  }

  /** The place of an ended thread is taken by one whose id ends alike, with zeros. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofAnEndedThread_isInherited(boolean forgets) throws InterruptedException {
    AtomicLong address = new AtomicLong();
    long before = settled();
    for (int i = 0; i < 2 * Stripes.OF_CACHES; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                PoolArena arena = owner.openArena();
                MemorySegment block = arena.allocate(100);
                for (int at = 0; at < 100; at++) {
                  if (block.get(ValueLayout.JAVA_BYTE, at) != 0) {
                    address.set(block.address());
                  }
                }
                block.fill((byte) -1);
                if (!forgets) {
                  arena.close();
                }
              })
          .join();
    }
    assertThat(address.get()).isZero();
    pool.verify();
    assertThat(pool.snapshot().handedOutBytes())
        .isLessThanOrEqualTo(Stripes.OF_CACHES * (4L << 10));
    pool.trim();
    assertThat(owner.chargedBytes()).isZero();
    for (int i = 0; forgets && i < 100 && forgotten() < before + 2L * Stripes.OF_CACHES; i++) {
      Handles.drain(Duration.ofSeconds(1));
    }
    assertThat(forgotten()).isEqualTo(before + (forgets ? 2 * Stripes.OF_CACHES : 0));
  }

  /** A thread that has the place of a living one takes extents with a lease. */
  @Test
  void placeOfALivingThread_isLeftToIt() throws InterruptedException {
    CountDownLatch used = new CountDownLatch(2 * Stripes.OF_CACHES);
    CountDownLatch end = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2 * Stripes.OF_CACHES; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    oneBlock(64);
                    oneBlock(64);
                    used.countDown();
                    try {
                      end.await();
                    } catch (InterruptedException e) {
                      return;
                    }
                    oneBlock(64);
                  }));
    }
    used.await();
    pool.verify();
    pool.trim();
    assertThat(owner.chargedBytes()).isZero();
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    pool.verify();
  }
}
