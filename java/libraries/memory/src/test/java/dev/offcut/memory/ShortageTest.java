package dev.offcut.memory;

import static dev.offcut.memory.BudgetTest.MIB;
import static dev.offcut.memory.BudgetTest.budget;
import static dev.offcut.memory.BudgetTest.pool;
import static dev.offcut.memory.BudgetTest.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The function of a budget that frees memory when the room runs short. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class ShortageTest {
  /** The function ends only once the other request waits for it, or has been refused. */
  @Test
  void shortage_secondRequest_waitsForTheFunctionThatRuns() throws Exception {
    AtomicLong cached = new AtomicLong();
    AtomicReference<MemoryPool> of = new AtomicReference<>();
    CountDownLatch runs = new CountDownLatch(1);
    Runnable request = () -> of.get().freeChunk(of.get().owner().allocateChunk(3 * MIB));
    FutureTask<?> answer = new FutureTask<>(Executors.callable(request));
    Thread second = Thread.ofPlatform().daemon().unstarted(answer);
    Budget budget =
        budget(8 * MIB)
            .onShortage(
                0,
                at -> {
                  runs.countDown();
                  while (second.getState() != Thread.State.TIMED_WAITING
                      && second.getState() != Thread.State.TERMINATED) {
                    Thread.onSpinWait();
                  }
                  long chunk = cached.getAndSet(0);
                  if (chunk != 0) {
                    of.get().freeChunk(chunk);
                  }
                })
            .create();
    try (MemoryPool pool = pool("cache", budget)) {
      of.set(pool);
      cached.set(pool.owner().allocateChunk(7 * MIB));
      Thread first =
          Thread.ofPlatform()
              .daemon()
              .start(() -> pool.freeChunk(pool.owner().allocateChunk(2 * MIB)));
      runs.await();
      second.start();
      first.join();
      answer.get();
    }
  }

  @Test
  void shortage_functionThatDoesNotEnd_delaysOthersNotForEver() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    Budget budget =
        budget(4 * MIB)
            .shortageWait(1)
            .onShortage(
                0,
                at -> {
                  runs.countDown();
                  Await.latch(ends);
                })
            .create();
    try (MemoryPool pool = pool("stuck", budget)) {
      Thread first = Thread.ofPlatform().daemon().start(() -> refusal(pool, 5 * MIB));
      runs.await();
      refusal(pool, 5 * MIB);
      Thread.currentThread().interrupt();
      refusal(pool, 5 * MIB);
      assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
      ends.countDown();
      first.join();
    }
  }

  @Test
  void shortage_callsBackWhenRoomFallsBelow_andBeforeARefusal() {
    AtomicInteger calls = new AtomicInteger();
    Budget budget = budget(8 * MIB).onShortage(3 * MIB, at -> calls.incrementAndGet()).create();
    try (MemoryPool pool = pool("short", budget)) {
      long one = pool.owner().allocateChunk(4 * MIB);
      assertThat(calls).hasValue(0);
      long two = pool.owner().allocateChunk(2 * MIB);
      assertThat(calls).hasValue(1);
      long three = pool.owner().allocateChunk(MIB);
      assertThat(calls).hasValue(1); // it is short already
      refusal(pool, 2 * MIB);
      assertThat(calls).hasValue(2);
      pool.freeChunk(two);
      pool.freeChunk(three);
      pool.trim();
      two = pool.owner().allocateChunk(2 * MIB);
      assertThat(calls).hasValue(3);
      pool.freeChunk(one);
      pool.freeChunk(two);
    }
  }

  @Test
  void shortage_whatTheFunctionFrees_servesTheRequest() {
    AtomicLong cached = new AtomicLong();
    AtomicReference<MemoryPool> of = new AtomicReference<>();
    Budget budget =
        budget(4 * MIB)
            .onShortage(
                0,
                at -> {
                  refusal(of.get(), 64 * MIB); // asks itself, and is not called again
                  of.get().freeChunk(cached.getAndSet(0));
                  throw new IllegalStateException("after all");
                })
            .create();
    AtomicReference<Throwable> told = new AtomicReference<>();
    Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> told.set(e));
    try (MemoryPool pool = pool("cache", budget);
        MemoryPool other = pool("other", budget)) {
      of.set(pool);
      cached.set(pool.owner().allocateChunk(4 * MIB));
      other.freeChunk(other.owner().allocateChunk(4 * MIB));
      assertThat(told.get()).hasRootCauseMessage("after all");
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(null);
    }
  }
}
