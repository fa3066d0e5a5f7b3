package dev.offcut.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/**
 * Extents that are taken from threads which open arenas in them without a pause. Each test finds
 * within a second what a missing fence, look or handshake lets through.
 */
final class ExtentRevocationTest {
  /** The steps race only while both threads run, which on a busy machine they seldom do. */
  private static final long NANOS = TimeUnit.SECONDS.toNanos(Long.getLong("offcut.seconds", 3));

  private volatile boolean ends;
  private volatile boolean isTaken;
  private final LongAdder broken = new LongAdder();

  private static MemoryPool pool() {
    return MemoryPool.named("revoked").decay(Duration.ofHours(1)).create();
  }

  /** The steps alone: whoever has taken it meets no arena, and none begins until it is back. */
  @Test
  void extent_thatWasTaken_hasNoOpenArena() throws InterruptedException {
    try (MemoryPool pool = pool()) {
      BlockingQueue<Extent> own = new ArrayBlockingQueue<>(1);
      Thread thread =
          new Thread(
              () -> {
                Extent opened = pool.owner().extents().openOwn(Thread.currentThread(), 64);
                Objects.requireNonNull(opened).close(opened.from, false);
                own.add(opened);
                openAndClose(opened);
              });
      thread.start();
      long taken = takeAndGiveBack(own.take(), thread);
      thread.join();
      System.out.println("ExtentRevocationTest: taken " + taken + " times");
      assertThat(broken.sum()).isZero();
      assertThat(taken).isPositive();
    }
  }

  private long takeAndGiveBack(Extent extent, Thread thread) {
    long taken = 0;
    for (long end = System.nanoTime() + NANOS; System.nanoTime() - end < 0 || taken == 0; ) {
      if (extent.revoke(true)) {
        Extent.handshake();
        if (extent.takeRevoked(thread)) {
          isTaken = true;
          taken++;
          spin();
          isTaken = false;
          assertThat(extent.takeRevoked(Thread.currentThread())).isFalse(); // no longer revoked
          extent.giveTo(thread);
        }
      }
    }
    ends = true;
    return taken;
  }

  private void openAndClose(Extent extent) {
    long[] cold = new long[1 << 22];
    int at = 0;
    while (!ends) {
      // Stores that miss the caches: the next one waits behind them, and loads go ahead of it.
      for (int i = 0; i < 16; i++) {
        at = at * 1_664_525 + 1_013_904_223;
        cold[at >>> 10] = i;
      }
      if (extent.thread == Thread.currentThread() && extent.tryOpen()) {
        for (int i = 0; i < 10; i++) {
          if (isTaken) {
            broken.increment();
          }
        }
        extent.close(extent.from, false);
        spin(); // or it would be open whenever the other thread looks
      }
    }
  }

  private static void spin() {
    for (int i = 0; i < 3; i++) {
      Thread.onSpinWait();
    }
  }

  /** The whole of it: what an arena wrote stays, while all that is kept goes back to the system. */
  @Test
  void arenas_whileThePoolTakesMemoryBack_keepTheirs() throws InterruptedException {
    try (MemoryPool pool = pool()) {
      Owner owner = pool.owner().child("owner").create();
      Owner other = pool.owner().child("other").create();
      Thread[] threads = new Thread[2];
      for (int i = 0; i < threads.length; i++) {
        long mark = i + 1L;
        threads[i] = new Thread(() -> fill(owner, mark));
        threads[i].start();
      }
      long turns = 0;
      for (long end = System.nanoTime() + NANOS; System.nanoTime() - end < 0; turns++) {
        pool.giveBack(false);
        MemorySegment chunk = segment(other.allocateChunk(1 << 10));
        chunk.fill((byte) -1);
        pool.freeChunk(chunk.address());
      }
      ends = true;
      for (Thread thread : threads) {
        thread.join();
      }
      System.out.println("ExtentRevocationTest: " + turns + " turns");
      assertThat(broken.sum()).isZero();
      pool.verify();
    }
  }

  @SuppressWarnings("restricted") // a chunk of its own
  private static MemorySegment segment(long chunk) {
    return MemorySegment.ofAddress(chunk).reinterpret(1 << 10);
  }

  private void fill(Owner owner, long mark) {
    while (!ends) {
      try (PoolArena arena = owner.openArena()) {
        MemorySegment block = arena.allocate(64);
        if (block.get(ValueLayout.JAVA_LONG, 0) != 0) {
          broken.increment();
        }
        block.set(ValueLayout.JAVA_LONG, 0, mark);
        for (int i = 0; i < 50; i++) {
          if ((long) ValueLayout.JAVA_LONG.varHandle().getOpaque(block, 0L) != mark) {
            broken.increment();
          }
        }
      }
    }
  }
}
