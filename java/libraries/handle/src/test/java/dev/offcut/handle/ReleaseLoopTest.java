package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.Await;
import java.lang.ref.PhantomReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The loop, driven by references that the test enqueues itself. */
class ReleaseLoopTest {
  private static final HandleType TYPE =
      HandleType.named("ReleaseLoopTest").releaser(Native::close).create();

  private final AtomicBoolean finished = new AtomicBoolean();
  private final List<Thread> made = Collections.synchronizedList(new ArrayList<>());
  private final ReleaseLoop loop = begun(this::thread, finished);

  private static ReleaseLoop begun(ThreadFactory threads, AtomicBoolean finished) {
    ReleaseLoop loop = new ReleaseLoop(threads);
    loop.begin(finished::get);
    return loop;
  }

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, "release-loop-test-" + made.size());
    thread.setDaemon(true);
    made.add(thread);
    return thread;
  }

  @AfterEach
  void end() {
    Listeners.removeAll();
    finished.set(true); // its threads end within a second; nobody waits for them here
  }

  @Test
  void finished_loop_endsItsThreadAndLeavesTheList() throws InterruptedException {
    assertThat(ReleaseLoop.all()).contains(loop);
    finished.set(true);
    made.get(0).join(300_000);
    assertThat(made).noneMatch(Thread::isAlive);
    assertThat(ReleaseLoop.all()).doesNotContain(loop);
  }

  /** Or a drain that met the loop just before its end would wait for it until time is up. */
  @Test
  void mark_ofALoopThatEnded_isNotPending() throws InterruptedException {
    ReleaseLoop.Mark mark = loop.mark();
    finished.set(true);
    made.get(0).join(300_000);
    assertThat(mark.isPending()).isFalse();
  }

  /** A dead reference with some values; {@code step} is called with each. */
  private final class Dead extends PhantomReference<Object> implements Forgotten {
    final AtomicInteger next = new AtomicInteger();
    final int values;
    final CountDownLatch done;
    final IntConsumer step;

    Dead(int values, IntConsumer step) {
      super(new Object(), loop.references());
      this.values = values;
      this.done = new CountDownLatch(values);
      this.step = step;
    }

    @Override
    public Step releaseOne(Tally tally) {
      int value = next.get();
      if (value >= values) {
        return Step.DONE;
      }
      if (!next.compareAndSet(value, value + 1)) {
        return Step.MORE; // taken by another
      }
      boolean ended = false;
      tally.begin(TYPE);
      try {
        step.accept(value);
        ended = true;
      } finally {
        tally.end();
        if (!ended) {
          next.set(value); // to be tried again
        }
      }
      done.countDown();
      return Step.MORE;
    }

    void await() throws InterruptedException {
      assertThat(done.await(5, TimeUnit.MINUTES)).isTrue();
    }
  }

  private void enqueue(Dead... dead) {
    for (Dead one : dead) {
      one.enqueue();
    }
  }

  @Test
  void deadReferences_areReleasedOnTheLoopsThread() throws InterruptedException {
    List<Thread> ran = Collections.synchronizedList(new ArrayList<>());
    Dead one = new Dead(1, value -> ran.add(Thread.currentThread()));
    Dead many = new Dead(5, value -> ran.add(Thread.currentThread()));
    enqueue(one, many);
    one.await();
    many.await();
    assertThat(ran).hasSize(6).containsOnly(made.get(0));
  }

  @Test
  void failureOtherThanAReleasers_losesNoReference() throws InterruptedException {
    AtomicInteger failures = new AtomicInteger(3);
    Dead[] all =
        forgotten(
            20,
            value -> {
              if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("thrown by the net itself");
              }
            });
    for (Dead dead : all) {
      dead.await();
    }
    assertThat(failures.get()).isEqualTo(3 - 3 - 20);
  }

  /** A dead reference that answers LATER so many times. */
  private final class Tentative extends PhantomReference<Object> implements Forgotten {
    final AtomicInteger tries;
    final CountDownLatch done = new CountDownLatch(1);

    Tentative(int tries) {
      super(new Object(), loop.references());
      this.tries = new AtomicInteger(tries);
    }

    @Override
    public Step releaseOne(Tally tally) {
      if (tries.decrementAndGet() > 0) {
        return Step.LATER;
      }
      done.countDown();
      return Step.DONE;
    }
  }

  /** One that hangs until it is let go. */
  private Dead hanging(CountDownLatch inside, CountDownLatch letGo) {
    return new Dead(
        1,
        value -> {
          inside.countDown();
          Await.latch(letGo);
        });
  }

  @Test
  void later_ofAHungWorker_doesNotKeepItsSuccessorFromWork() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Dead hanging = hanging(inside, letGo);
    Tentative waiting = new Tentative(Integer.MAX_VALUE);
    forgotten(1, value -> {})[0].await(); // the worker runs
    waiting.enqueue(); // kept from here on
    while (waiting.tries.get() == Integer.MAX_VALUE) {
      Thread.onSpinWait();
    }
    enqueue(hanging);
    inside.await();
    superviseUntilReplaced();
    forgotten(1, value -> {})[0].await();
    waiting.tries.set(1);
    assertThat(waiting.done.await(5, TimeUnit.MINUTES)).isTrue();
    letGo.countDown();
    hanging.await();
  }

  @Test
  void hungCall_isReplacedAndTheRestIsReleasedOnce() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    AtomicInteger[] runs = new AtomicInteger[100];
    Dead hanging =
        new Dead(
            runs.length,
            value -> {
              runs[value] = new AtomicInteger(1);
              if (value == 3) {
                inside.countDown();
                Await.latch(letGo);
              }
            });
    enqueue(hanging);
    inside.await();
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    Handles.addListener(
        new HandleListener() {
          @Override
          public void releaserHung(String type, java.time.Duration since) {
            heard.add(type);
          }
        });
    Dead after = forgotten(1, value -> {})[0];
    superviseUntilReplaced();
    after.await();
    while (hanging.done.getCount() > 1) {
      Thread.onSpinWait(); // the successor releases all but the one that hangs
    }
    assertThat(loop.hung()).isOne();
    assertThat(heard).containsExactly("ReleaseLoopTest");
    letGo.countDown();
    hanging.await();
    made.get(0).join();
    assertThat(loop.hung()).isZero();
    assertThat(made).hasSize(2);
    assertThat(runs).allMatch(run -> run.get() == 1);
  }

  private void superviseUntilReplaced() {
    long now = System.nanoTime();
    loop.supervise(now);
    while (made.size() < 2) {
      now += 2 * Settings.HANG_NANOS; // time flies for the supervisor
      loop.supervise(now);
    }
  }

  // Back-pressure.

  @Test
  void awaitEmpty_whileThereIsMuchToRelease_returnsAfterIt() throws InterruptedException {
    Dead[] dead = forgotten(3 * Settings.MANY_IN_A_ROW, value -> {});
    Thread.currentThread().interrupt();
    loop.awaitEmpty();
    assertThat(Thread.interrupted()).isTrue();
    long left = Arrays.stream(dead).filter(one -> one.done.getCount() > 0).count();
    assertThat(left).isZero();
  }

  /** Its wait for the collector takes a second, and was the opener's, too. */
  @Test
  void awaitEmpty_whileTheWorkerWaitsForTheCollector_isAnsweredAtOnce()
      throws InterruptedException {
    Thread opener =
        new Thread(
            () -> {
              for (int i = 0; i < 300; i++) {
                loop.awaitEmpty();
              }
            });
    opener.setDaemon(true);
    opener.start();
    opener.join(150_000); // of 300 seconds, were each to wait for the worker's
    assertThat(opener.isAlive()).isFalse();
  }

  /** Each wakes the worker by something in its queue, and these must not wait for each other. */
  @Test
  void request_ofManyOpeners_keepsNothingFromRelease() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    enqueue(hanging(inside, letGo));
    inside.await();
    Dead below = forgotten(1, value -> {})[0]; // last in, first out: the marks come before it
    for (int i = 0; i < 2 * Settings.MANY_IN_A_ROW; i++) {
      loop.request();
    }
    letGo.countDown();
    below.await();
  }

  @Test
  void awaitEmpty_inAReleaser_doesNotWait() throws InterruptedException {
    Dead[] dead = forgotten(10, value -> loop.awaitEmpty());
    for (Dead one : dead) {
      one.await();
    }
    assertThat(loop.requests()).isZero();
  }

  private Dead[] forgotten(int count, IntConsumer step) {
    Dead[] dead = new Dead[count];
    Arrays.setAll(dead, i -> new Dead(1, step));
    enqueue(dead);
    return dead;
  }

  @Test
  void deadThread_isReplacedByOneOnly() throws InterruptedException {
    List<Thread> own = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch making = new CountDownLatch(1);
    CountDownLatch make = new CountDownLatch(1);
    AtomicBoolean over = new AtomicBoolean();
    ReleaseLoop dying =
        begun(
            work -> {
              Thread thread = new Thread(own.isEmpty() ? () -> {} : work); // the first dies
              thread.setDaemon(true);
              own.add(thread);
              if (own.size() == 2) {
                making.countDown();
                Await.latch(make);
              }
              return thread;
            },
            over);
    own.get(0).join();
    Thread first = new Thread(dying::ensureRunning);
    Thread second = new Thread(dying::ensureRunning);
    first.start();
    making.await();
    second.start(); // while the first is between choosing the worker and starting its thread
    while (second.getState() != Thread.State.BLOCKED
        && second.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
    make.countDown();
    first.join();
    second.join();
    assertThat(own).hasSize(2);
    over.set(true);
  }
}
