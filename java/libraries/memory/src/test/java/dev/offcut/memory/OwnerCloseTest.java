package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class OwnerCloseTest {
  private static final int KIB = 1 << 10;

  private final MemoryPool pool = PoolInvariants.pool("owners").create();

  private Owner owner(String name) {
    return pool.owner().child(name).create();
  }

  private static void assertInUse(Owner owner) {
    assertThatThrownBy(owner::close)
        .isInstanceOf(MemoryInUseException.class)
        .hasMessageContaining(owner.path());
    PoolInvariants.check(owner.pool());
    owner.pool().freeChunk(owner.allocateChunk(1)); // it is as open as before
  }

  private void assertNothingLeft() {
    PoolInvariants.check(pool);
    assertThat(pool.owner().chargedBytes()).isZero();
    assertThat(pool.snapshot().owners()).hasSize(1);
    pool.close();
  }

  @Test
  void close_withAChunkOut_isRefused() {
    Owner owner = owner("chunks");
    for (int bytes : new int[] {1, 4 * KIB, 64 * KIB, 5 << 20}) {
      long chunk = owner.allocateChunk(bytes);
      assertInUse(owner);
      pool.freeChunk(chunk);
    }
    owner.close();
    owner.close();
    assertNothingLeft();
  }

  @Test
  void close_withAnArenaOpen_isRefused() {
    Owner owner = owner("arenas");
    try (PoolArena arena = owner.openArena()) {
      arena.allocate(64);
      assertInUse(owner);
    }
    owner.close();
    assertNothingLeft();
  }

  @Test
  void close_withAHeapOpen_isRefused() {
    Owner owner = owner("heaps");
    BlockHeap heap = owner.openHeap();
    assertInUse(owner);
    heap.free(heap.allocate(100));
    heap.close();
    owner.close();
    assertNothingLeft();
  }

  @Test
  void close_ofAParent_endsThoseBelowOrNone() {
    Owner parent = owner("server");
    Owner child = parent.child("session").create();
    Owner other = parent.child("other").create();
    long chunk = child.allocateChunk(4 * KIB);
    assertInUse(parent);
    pool.freeChunk(other.allocateChunk(1));
    pool.freeChunk(chunk);
    parent.close();
    for (Owner each : List.of(parent, child, other)) {
      assertThatThrownBy(() -> each.allocateChunk(1)).isInstanceOf(ClosedOwnerException.class);
      each.close();
    }
    assertNothingLeft();
  }

  @Test
  void owner_afterClose_refusesAll() {
    Owner owner = owner("closed");
    PoolArena arena = owner.openArena();
    PoolArena shared = owner.openSharedArena();
    owner.close();
    for (int bytes : new int[] {1, 4 * KIB, 5 << 20}) {
      assertThatThrownBy(() -> owner.allocateChunk(bytes)).isInstanceOf(ClosedOwnerException.class);
      assertThatThrownBy(() -> arena.allocate(bytes)).isInstanceOf(ClosedOwnerException.class);
      assertThatThrownBy(() -> shared.allocate(bytes)).isInstanceOf(ClosedOwnerException.class);
    }
    assertThatThrownBy(owner::openHeap).isInstanceOf(ClosedOwnerException.class);
    assertThatThrownBy(owner::openConfinedHeap).isInstanceOf(ClosedOwnerException.class);
    assertThatThrownBy(() -> owner.child("late").create())
        .isInstanceOf(ClosedOwnerException.class)
        .hasMessageContaining("owner closed of pool owners is closed");
    arena.close();
    shared.close();
    assertNothingLeft();
  }

  @Test
  void close_ofThePoolsOwnOwner_isRefused() {
    assertThatThrownBy(() -> pool.owner().close()).hasMessageContaining("close the pool");
    assertNothingLeft();
  }

  /** A million in all, most of them without memory; what is left is that of none. */
  @Test
  void manyOwners_madeAndClosed_leaveNothing() {
    for (int i = 0; i < 1_000_000; i++) {
      try (Owner owner = owner("session")) {
        if (i % 64 == 0) {
          use(owner);
        }
      }
    }
    assertThat(pool.owner().children()).isEmpty();
    assertNothingLeft();
  }

  private static void use(Owner owner) {
    try (PoolArena arena = owner.openArena();
        BlockHeap heap = owner.openHeap()) {
      arena.allocate(64);
      heap.free(heap.allocate(64));
      owner.pool().freeChunk(owner.allocateChunk(4 * KIB));
    }
  }

  @Test
  void droppedOwners_withNothingOut_areForgotten() throws InterruptedException {
    List<WeakReference<Owner>> dropped = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      Owner owner = owner("dropped");
      use(owner);
      dropped.add(new WeakReference<>(owner));
    }
    assertThat(pool.snapshot().owners()).hasSize(1001); // what they keep is theirs
    while (!dropped.isEmpty()) {
      pool.decay();
      System.gc();
      Thread.sleep(1); // nothing else to wait for: the collector clears references when it likes
      dropped.removeIf(each -> each.refersTo(null));
    }
    assertNothingLeft();
  }

  @Test
  void droppedOwner_withAChunkOut_staysAccountedFor() throws InterruptedException {
    long chunk = owner("lost").allocateChunk(64 * KIB);
    for (int i = 0; i < 5; i++) {
      pool.decay();
      System.gc();
    }
    assertThat(pool.snapshot().owners()).hasSize(2);
    assertThat(pool.owner().chargedBytes()).isEqualTo(64 * KIB);
    PoolInvariants.check(pool);
    pool.freeChunk(chunk);
    pool.trim();
    assertThat(pool.owner().chargedBytes()).isZero();
  }

  /** Owners are closed while others take from them: each either stays, or nothing of it is out. */
  @Test
  void close_whileOthersTake_losesNothing() throws Exception {
    AtomicInteger closed = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 300; round++) {
        Owner owner = owner("raced");
        List<Future<?>> taking = new ArrayList<>();
        for (int t = 0; t < 2; t++) {
          taking.add(
              threads.submit(
                  () -> {
                    try {
                      for (int i = 0; i < 200; i++) {
                        pool.freeChunk(owner.allocateChunk(KIB << (i % 8)));
                      }
                    } catch (ClosedOwnerException e) {
                      closed.incrementAndGet();
                    }
                  }));
        }
        boolean ended = false;
        while (!ended) {
          try {
            owner.close();
            ended = true;
          } catch (MemoryInUseException e) {
            Thread.onSpinWait();
          }
        }
        for (Future<?> each : taking) {
          each.get();
        }
      }
    }
    assertThat(closed.get()).isPositive();
    assertNothingLeft();
  }
}
