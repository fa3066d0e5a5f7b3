package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TetherTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @AfterEach
  void check() {
    Handles.detection(Detection.COUNT);
    Handles.verify();
  }

  private static HandleType type(String name) {
    return HandleType.named("TetherTest." + name).releaser(Native::close).create();
  }

  /** What owns a tether: a buffer of some framework. */
  private static final class Owner {
    final long value = Native.open();
    @Nullable Tether tether;

    Owner(HandleType type) {
      tether = type.tether(value);
    }

    void end() {
      Tether ended = tether;
      tether = null;
      if (ended != null) {
        ended.end();
      }
    }
  }

  /** In a frame of its own. */
  private static long forget(HandleType type) {
    return new Owner(type).value;
  }

  private static OfType counts(HandleType type) {
    return Handles.snapshot().of(type);
  }

  @Test
  void end_leavesTheReleaseToTheOwner() {
    HandleType type = type("end");
    Owner owner = new Owner(type);
    assertThat(counts(type).open()).isEqualTo(1);
    owner.end();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(owner.value)).isZero();
    OfType counts = counts(type);
    assertThat(counts.opened()).isEqualTo(1);
    assertThat(counts.closed()).isEqualTo(1);
    assertThat(counts.open()).isZero();
  }

  @Test
  void end_leavesTheTetherToTheNextOwner() {
    HandleType type = type("again");
    Owner first = new Owner(type);
    Tether tether = first.tether;
    first.end();
    Owner second = new Owner(type);
    assertThat(second.tether).isSameAs(tether);
    second.end();
    assertThat(counts(type).opened()).isEqualTo(2);
  }

  @Test
  void owner_thatIsForgotten_isReleasedOnceAndCounted() {
    HandleType type = type("forgotten");
    List<Owner> kept = new ArrayList<>();
    List<Long> forgotten = new ArrayList<>();
    for (int i = 0; i < 1000; i++) { // more than a chunk
      forgotten.add(forget(type));
      kept.add(new Owner(type));
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(forgotten).allMatch(value -> Native.closes(value) == 1);
    assertThat(kept).allMatch(owner -> Native.closes(owner.value) == 0);
    assertThat(counts(type).forgotten()).isEqualTo(1000);
    assertThat(counts(type).open()).isEqualTo(1000);
    kept.forEach(Owner::end);
    assertThat(counts(type).closed()).isEqualTo(1000);
  }

  @Test
  void owner_thatHasTheNumberOfAForgottenOne_isFollowed() {
    HandleType type = type("number");
    for (int round = 0; round < 3; round++) {
      long value = forget(type);
      assertThat(Handles.drain(LIMIT)).isTrue();
      assertThat(Native.closes(value)).isEqualTo(1);
      Owner owner = new Owner(type);
      assertThat(Handles.drain(LIMIT)).isTrue();
      assertThat(Native.closes(owner.value)).isZero();
      owner.end();
    }
    assertThat(counts(type).forgotten()).isEqualTo(3);
  }

  @Test
  void end_ofATetherThatTheReaperLetGo_parksIt() {
    HandleType type = type("let go");
    Owner owner = new Owner(type);
    Tether tether = openedFiveSecondsAgo(owner);
    Reaper.pass(false, false);
    assertThat(tether.rack.held[tether.index]).isNull();
    owner.end();
    Owner next = new Owner(type);
    assertThat(next.tether).isSameAs(tether);
    next.end();
  }

  @Test
  void end_ofAnOldTether_parksItForAsLongAsOthers() {
    HandleType type = type("parked");
    Owner owner = new Owner(type);
    Tether tether = openedFiveSecondsAgo(owner);
    owner.end();
    Reaper.pass(false, false);
    Owner next = new Owner(type);
    assertThat(next.tether).isSameAs(tether);
    next.end();
  }

  private static Tether openedFiveSecondsAgo(Owner owner) {
    Tether tether = Objects.requireNonNull(owner.tether);
    tether.rack.words[2 * tether.index + 1] -= 5;
    return tether;
  }

  @Test
  void end_byTwoThreadsAtOnce_givesNobodyWhatIsInUse() {
    HandleType type = type("ended twice");
    Tethers tethers = new Tethers(type, type.nurseries());
    Tethers.Stack first = new Tethers.Stack(null);
    Tethers.Stack second = new Tethers.Stack(null);
    List<Tether> owned = new ArrayList<>();
    for (int i = 0; i < 65; i++) {
      owned.add(open(tethers, first));
    }
    for (Tether tether : owned) { // the last one has the oldest go to the common list
      tethers.endInto(first, tether, tether.rack, tether.index);
      tethers.endInto(second, tether, tether.rack, tether.index);
    }
    Tethers.Stack third = new Tethers.Stack(null);
    Set<Tether> inUse = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 96; i++) {
      assertThat(inUse.add(open(tethers, third))).isTrue();
    }
    tethers.dropParked();
  }

  private static Tether open(Tethers tethers, Tethers.Stack stack) {
    Tether opened = tethers.openFrom(stack, 1, null, true);
    while (opened == null) {
      tethers.grow();
      opened = tethers.openFrom(stack, 1, null, true);
    }
    return opened;
  }

  @Test
  void end_aSecondTime_isRefused() {
    HandleType type = type("twice");
    Tether tether = type.tether(Native.open());
    tether.end();
    assertThatIllegalStateException()
        .isThrownBy(tether::end)
        .withMessage("TetherTest.twice: the tether has ended; end it once");
    assertThatIllegalStateException().isThrownBy(() -> tether.move(1));
  }

  @Test
  void move_leavesTheValueBeforeToTheOwner() {
    HandleType type = type("move");
    long before = Native.open();
    long after = Native.open();
    moveAndForget(type, before, after);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(before)).isZero();
    assertThat(Native.closes(after)).isEqualTo(1);
    assertThat(counts(type).opened()).isEqualTo(1);
  }

  private static void moveAndForget(HandleType type, long before, long after) {
    type.tether(before).move(after);
  }

  @Test
  void reservedValue_isRefused() {
    HandleType type = type("reserved");
    assertThatIllegalArgumentException().isThrownBy(() -> type.tether(HandleState.CODE));
    Tether tether = type.tether(0); // is none
    assertThatIllegalArgumentException().isThrownBy(() -> tether.move(HandleState.CODE));
    tether.end();
    assertThat(counts(type).opened()).isEqualTo(1);
  }

  @Test
  void typeWithAPolicy_isRefused() {
    HandleType type =
        HandleType.named("TetherTest.guarded")
            .releaser(Native::close)
            .closeInUse(CloseInUse.DEFER)
            .create();
    assertThatIllegalStateException().isThrownBy(() -> type.tether(1));
  }

  @Test
  void sites_areThoseOfOpenAndForgottenOnes() {
    Handles.detection(Detection.FULL);
    HandleType type = type("sites");
    Owner kept = new Owner(type);
    assertThat(Statistics.openSites().get(type.id)).hasSize(1);
    kept.end();
    assertThat(Statistics.openSites()).doesNotContainKey(type.id);
    forget(type);
    Handles.detection(Detection.COUNT);
    forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    OfType counts = counts(type);
    assertThat(counts.forgotten()).isEqualTo(2);
    assertThat(counts.sites().values()).containsExactly(1L);
    assertThat(counts.sites().keySet())
        .allMatch(site -> site.get(0).getClassName().equals(Owner.class.getName()));
  }

  @Test
  void oldest_isNoYoungerThanTheOpenOne() {
    HandleType type = type("age");
    long before = System.nanoTime();
    Owner owner = new Owner(type);
    Reaper.pass(false, false);
    new Owner(type).end();
    long age = counts(type).oldest().toNanos();
    assertThat(age)
        .isGreaterThanOrEqualTo(0)
        .isLessThan(System.nanoTime() - before + 3_000_000_000L);
    owner.end();
    assertThat(counts(type).oldest()).isZero();
  }

  @Test
  void end_onAnotherThread_losesNoNumber() throws InterruptedException {
    HandleType type = type("handed over");
    BlockingQueue<Owner> queue = new LinkedBlockingQueue<>(300);
    int each = 20_000;
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      boolean opens = t % 2 == 0;
      threads.add(
          new Thread(
              () -> {
                try {
                  for (int i = 0; i < each; i++) {
                    if (opens) {
                      queue.put(new Owner(type));
                    } else {
                      queue.take().end();
                    }
                  }
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    run(threads);
    OfType counts = counts(type);
    assertThat(counts.opened()).isEqualTo(2L * each);
    assertThat(counts.closed()).isEqualTo(2L * each);
    assertThat(counts.forgotten()).isZero();
  }

  @Test
  void threads_thatHaveEnded_leaveTheirNumbersToOthers() throws InterruptedException {
    HandleType type = type("ended");
    for (int round = 0; round < 50; round++) {
      run(List.of(new Thread(() -> new Owner(type).end())));
      Reaper.pass(false, false);
    }
    assertThat(type.nurseries().makeTethers().numbers()).isEqualTo(32); // those there are
    assertThat(counts(type).opened()).isEqualTo(50);
  }

  @Test
  void virtualThreads_shareAFewStacks() throws Exception {
    Method start = findVirtual();
    if (start == null) {
      return;
    }
    HandleType type = type("virtual");
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 200; t++) {
      threads.add(
          (Thread)
              start.invoke(
                  null,
                  (Runnable)
                      () -> {
                        Owner owner = new Owner(type);
                        LockSupport.parkNanos(1_000);
                        owner.end();
                      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(counts(type).closed()).isEqualTo(200);
  }

  private static @Nullable Method findVirtual() {
    try {
      return Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException e) {
      return null; // before JDK 21
    }
  }

  private static void run(List<Thread> threads) throws InterruptedException {
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void opening_afterAShutdown_startsTheNet() {
    HandleType type = type("shutdown");
    new Owner(type).end(); // parked
    Handles.shutdown();
    assertThat(Reaper.isStopped()).isTrue();
    Owner owner = new Owner(type);
    assertThat(Reaper.isStopped()).isFalse();
    owner.end();
  }

  @Test
  void end_afterAShutdown_keepsNoTether() {
    HandleType type = type("ended after a shutdown");
    Owner owner = new Owner(type);
    Handles.shutdown();
    owner.end();
    assertThat(Reaper.isStopped()).isTrue();
    long forgotten = forget(type);
    assertThat(Reaper.isStopped()).isFalse();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(owner.value)).isZero();
    assertThat(Native.closes(forgotten)).isEqualTo(1);
  }

  /** An owner that its finalizer brings back. */
  private static final class Finalized {
    static volatile @Nullable Finalized back;
    final Owner owner;

    Finalized(Owner owner) {
      this.owner = owner;
    }

    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize", "checkstyle:NoFinalizer"})
    protected void finalize() {
      back = this;
    }
  }

  private static long openFinalized(HandleType type) {
    return new Finalized(new Owner(type)).owner.value;
  }

  @Test
  void owner_thatAFinalizerBringsBack_isNotForgotten() throws InterruptedException {
    HandleType type = type("resurrected");
    long value = openFinalized(type);
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (Finalized.back == null && System.nanoTime() - limit < 0) {
      Reaper.pass(true, true); // lets go
      System.gc();
      Thread.sleep(1);
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isZero();
    Finalized back = Finalized.back;
    Finalized.back = null;
    assertThat(back).isNotNull();
    endOf(back);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isZero();
    assertThat(counts(type).closed()).isEqualTo(1);
  }

  private static void endOf(@Nullable Finalized finalized) {
    if (finalized != null) {
      finalized.owner.end();
    }
  }

  @Test
  void alarm_ofAnOlderTether_takesNothing() {
    HandleType type = type("old alarm");
    Owner first = new Owner(type);
    Forgotten old = alarm(first);
    first.end();
    Tethers.letGoOfAll();
    Owner second = new Owner(type);
    assertThat(second.tether).isNotNull();
    assertThat(alarm(second)).isNotNull().isNotSameAs(old);
    assertThat(old).isNotNull();
    if (old != null) {
      old.releaseOne(new Tally());
    }
    assertThat(Native.closes(second.value)).isZero();
    assertThat(counts(type).open()).isEqualTo(1);
    second.end();
  }

  private static @Nullable Forgotten alarm(Owner owner) {
    Tether tether = owner.tether;
    return tether == null ? null : tether.alarm();
  }

  @Test
  void thread_thatHasEndedAfterItsTethersWent_isNotKept() throws InterruptedException {
    HandleType type = type("thread");
    WeakReference<Thread> thread = endedThread(type);
    long limit = System.nanoTime() + LIMIT.toNanos();
    while (thread.get() != null && System.nanoTime() - limit < 0) {
      System.gc();
      Thread.sleep(1);
    }
    assertThat(thread.get()).isNull();
    assertThat(type.nurseries().makeTethers().numbers()).isPositive();
  }

  /** It outlives what it has parked. */
  private static WeakReference<Thread> endedThread(HandleType type) throws InterruptedException {
    CountDownLatch parked = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              new Owner(type).end();
              parked.countDown();
              try {
                gone.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    parked.await();
    Tethers.letGoOfAll();
    assertThat(Handles.drain(LIMIT)).isTrue();
    Tethers.lookAtAll(true); // now there is none, and no look sees the thread end
    gone.countDown();
    thread.join();
    return new WeakReference<>(thread);
  }
}
