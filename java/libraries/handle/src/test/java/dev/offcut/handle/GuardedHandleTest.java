package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GuardedHandleTest extends HandleTests {
  private HandleType type(String name, CloseInUse policy) {
    return named(name).closeInUse(policy).create();
  }

  private HandleType waiting(String name, Duration limit) {
    return named(name).closeInUse(CloseInUse.WAIT).waitLimit(limit).create();
  }

  // Use against close.

  @Test
  void close_inUseUnderRefuse_throwsAndStaysOpen() {
    GuardedThing thing = GuardedThing.open(type("throw", CloseInUse.REFUSE));
    thing.beginUse();
    thing.beginUse();
    assertThatThrownBy(thing::close)
        .isInstanceOf(HandleBusyException.class)
        .hasMessageContaining("GuardedHandleTest.throw")
        .hasMessageContaining("in use by 2 calls");
    assertThat(thing.isClosed()).isFalse();
    thing.endUse();
    assertThat(thing.withLong(value -> value)).isEqualTo(thing.value());
    thing.endUse();
    thing.close();
    assertThat(Native.closes(thing.value())).isOne();
  }

  @Test
  void close_inUseUnderDefer_refusesNewUsesAndTheLastUserReleases() {
    GuardedThing thing = GuardedThing.open(type("defer", CloseInUse.DEFER));
    thing.beginUse();
    thing.beginUse();
    thing.close();
    assertThat(thing.isClosed()).isTrue();
    assertThatThrownBy(thing::beginUse).isInstanceOf(ClosedHandleException.class);
    thing.endUse();
    assertThat(Native.closes(thing.value())).isZero();
    thing.endUse();
    assertThat(Native.closes(thing.value())).isOne();
    thing.close();
    assertThat(Native.closes(thing.value())).isOne();
  }

  @Test
  void use_releaserThrowsAfterADeferredClose_reachesTheLastUser() {
    HandleType type =
        named("defer throws")
            .releaser(GuardedHandleTest::refuse)
            .closeInUse(CloseInUse.DEFER)
            .create();
    GuardedThing thing = GuardedThing.open(type);
    thing.beginUse();
    thing.close();
    assertThatThrownBy(thing::endUse)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("refused");
    assertThat(Handles.snapshot().of(type).failures()).isOne();
  }

  private static void refuse(long value) {
    throw new UnsupportedOperationException("refused");
  }

  static List<Duration> forEver() {
    return List.of(
        Duration.ofDays(300 * 365),
        ChronoUnit.FOREVER.getDuration(),
        Duration.ofSeconds(Long.MAX_VALUE));
  }

  @ParameterizedTest
  @MethodSource("forEver")
  void close_inUseUnderWaitForEver_returnsOnceTheLastUserIsOut(Duration limit)
      throws InterruptedException {
    GuardedThing thing = GuardedThing.open(waiting("wait for ever", limit));
    thing.beginUse();
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread closer = new Thread(thing::close);
    closer.setUncaughtExceptionHandler((thread, problem) -> thrown.set(problem));
    closer.start();
    while (closer.getState() != Thread.State.TIMED_WAITING
        && closer.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
    assertThat(thrown.get()).isNull();
    assertThat(thing.isClosed()).isTrue();
    thing.endUse();
    closer.join();
    assertThat(thrown.get()).isNull();
    assertThat(Native.closes(thing.value())).isOne();
  }

  @Test
  void close_inUseUnderWaitBeyondTheLimit_throwsAndStaysOpen() {
    GuardedThing thing = GuardedThing.open(waiting("wait limit", Duration.ofMillis(20)));
    thing.withLong(
        value -> {
          assertThatThrownBy(thing::close)
              .isInstanceOf(HandleBusyException.class)
              .hasMessageContaining("not closed; 1 calls still use it after a wait of 0.02 s; ");
          assertThat(thing.isClosed()).isFalse();
          return thing.withLong(again -> again);
        });
    assertThat(Native.closes(thing.value())).isZero();
    thing.close();
    assertThat(Native.closes(thing.value())).isOne();
  }

  @Test
  void close_interruptedWhileItWaits_throwsKeepsTheFlagAndStaysOpen() throws InterruptedException {
    GuardedThing thing = GuardedThing.open(waiting("wait interrupt", LIMIT));
    thing.beginUse();
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    AtomicBoolean flag = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              try {
                thing.close();
              } catch (Throwable t) {
                thrown.set(t);
              }
              flag.set(Thread.currentThread().isInterrupted());
            });
    closer.start();
    while (!thing.isClosed()) {
      Thread.onSpinWait();
    }
    closer.interrupt();
    closer.join();
    assertThat(thrown.get())
        .isInstanceOf(HandleBusyException.class)
        .hasMessageContaining("interrupted");
    assertThat(flag).isTrue();
    assertThat(thing.isClosed()).isFalse();
    thing.endUse();
    thing.close();
    assertThat(Native.closes(thing.value())).isOne();
  }

  @Test
  void release_withoutAcquire_isRefusedAndChangesNothing() {
    GuardedThing thing = GuardedThing.open(type("unmatched", CloseInUse.REFUSE));
    assertThatThrownBy(thing::endUse)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("without beginUse");
    assertThat(thing.isClosed()).isFalse();
    thing.close();
    assertThat(Native.closes(thing.value())).isOne();
  }

  // Parents and children.

  private HandleType parents(String name, @Nullable CloseWithChildren policy) {
    HandleType.Builder type = named("parent " + name);
    return policy == null ? type.create() : type.closeWithChildren(policy).create();
  }

  private HandleType children(HandleType parents) {
    return named("child of " + parents).childOf(parents).create();
  }

  @Test
  void close_withChildrenUnderRefuse_throwsUntilTheyAreClosed() {
    HandleType parents = parents("throw", null);
    HandleType children = children(parents);
    GuardedThing parent = GuardedThing.open(parents);
    Thing first = Thing.openChild(children, parent);
    Thing second = Thing.openChild(children, parent);
    first.close();
    assertThatThrownBy(parent::close)
        .isInstanceOf(HandleBusyException.class)
        .hasMessageContaining("has 1 open children");
    assertThat(parent.isClosed()).isFalse();
    Thing.openChild(children, parent).close();
    second.close();
    parent.close();
    assertThat(Native.order(parent.value(), first.value(), second.value()))
        .containsExactly(first.value(), second.value(), parent.value());
  }

  @Test
  void close_withChildrenUnderCascade_closesTheYoungestFirst() {
    HandleType parents = parents("cascade", CloseWithChildren.CASCADE);
    HandleType children = children(parents);
    GuardedThing parent = GuardedThing.open(parents);
    Thing a = Thing.openChild(children, parent);
    Thing b = Thing.openChild(children, parent);
    Reaper.pass(false, true);
    Thing c = Thing.openChild(children, parent);
    b.close();
    parent.close();
    assertThat(Native.order(parent.value(), a.value(), b.value(), c.value()))
        .containsExactly(b.value(), c.value(), a.value(), parent.value());
    assertThat(a.isClosed()).isTrue();
    assertThatThrownBy(c::beginUse).isInstanceOf(ClosedHandleException.class);
  }

  @Test
  void close_withChildrenUnderDefer_releasesAfterTheLastChild() {
    HandleType parents = parents("defer", CloseWithChildren.DEFER);
    HandleType children = children(parents);
    GuardedThing parent = GuardedThing.open(parents);
    Thing child = Thing.openChild(children, parent);
    parent.close();
    assertThat(parent.isClosed()).isTrue();
    assertThat(Native.closes(parent.value())).isZero();
    assertThatThrownBy(() -> Thing.openChild(children, parent))
        .isInstanceOf(ClosedHandleException.class);
    assertThat(child.withLong(value -> value)).isEqualTo(child.value());
    child.close();
    assertThat(Native.order(parent.value(), child.value()))
        .containsExactly(child.value(), parent.value());
  }

  @Test
  void close_cascadeMeetsAChildInUse_throwsAndTheParentGoesAfterIt() {
    HandleType parents = parents("refused", CloseWithChildren.CASCADE);
    HandleType children =
        named("busy child").childOf(parents).closeInUse(CloseInUse.REFUSE).create();
    GuardedThing parent = GuardedThing.open(parents);
    GuardedThing busy = GuardedThing.openChild(children, parent);
    GuardedThing idle = GuardedThing.openChild(children, parent);
    busy.beginUse();
    assertThatThrownBy(parent::close).isInstanceOf(HandleBusyException.class);
    assertThat(Native.closes(idle.value())).isOne();
    assertThat(parent.isClosed()).isTrue();
    assertThat(Native.closes(parent.value())).isZero();
    busy.endUse();
    busy.close();
    assertThat(Native.closes(parent.value())).isOne();
  }

  @Test
  void close_cascadeMeetsAReleaserThatThrowsError_closesTheOthersAndTheParent() {
    HandleType parents = parents("error", CloseWithChildren.CASCADE);
    HandleType children =
        named("error child").releaser(GuardedHandleTest::closeAndThrow).childOf(parents).create();
    GuardedThing parent = GuardedThing.open(parents);
    Thing a = Thing.openChild(children, parent);
    Thing b = Thing.openChild(children, parent);
    assertThatThrownBy(parent::close)
        .isInstanceOf(LinkageError.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(Native.order(a.value(), b.value(), parent.value()))
        .containsExactly(b.value(), a.value(), parent.value());
  }

  private static void closeAndThrow(long value) {
    Native.close(value);
    throw new LinkageError("thrown after the release");
  }

  @Test
  void openChild_nativeOpenThrows_countsTheChildOut() {
    HandleType parents = parents("child throws", null);
    HandleType children = children(parents);
    GuardedThing parent = GuardedThing.open(parents);
    assertThatThrownBy(() -> Thing.openChild(children, parent, Native.NOTHING))
        .isInstanceOf(IllegalArgumentException.class);
    parent.close();
    assertThat(Native.closes(parent.value())).isOne();
  }

  @Test
  void openChild_constructorThrowsBeforeOpen_doesNotHoldTheParentForEver() {
    HandleType parents = parents("constructor throws", CloseWithChildren.DEFER);
    HandleType children = children(parents);
    GuardedThing parent = GuardedThing.open(parents);
    Thing.reserveAndForget(children, parent);
    parent.close();
    for (int i = 0; i < 40 && Native.closes(parent.value()) == 0; i++) {
      Handles.drain(LIMIT);
    }
    assertThat(Native.closes(parent.value())).isOne();
  }

  @Test
  void openChild_ofAParentThatIsOpening_isRefused() {
    HandleType parents = parents("opening", null);
    HandleType children = children(parents);
    GuardedThing parent = GuardedThing.reserve(parents);
    parent.open(
        () -> {
          assertThatThrownBy(() -> Thing.openChild(children, parent))
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("before its native open returned");
          return Native.open();
        });
    assertThatCode(parent::close).doesNotThrowAnyException();
  }

  @Test
  void openChild_withoutOrWithAWrongParent_isRefused() {
    HandleType parents = parents("none", null);
    HandleType children = children(parents);
    GuardedThing other = GuardedThing.open(parents("other", null));
    assertThatThrownBy(() -> Thing.open(children))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("opened without a parent, declared with childOf(" + parents + ")");
    assertThatThrownBy(() -> Thing.openChild(children, other))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(
            "opened with a parent of type " + other.type() + ", declared with childOf(" + parents);
    assertThatThrownBy(() -> Thing.openChild(parents, other))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("declared without childOf; pass");
    other.close();
  }

  // The net.

  /** Also if the parent and a child refer to each other. */
  @ParameterizedTest
  @CsvSource({"REFUSE, false", "CASCADE, false", "DEFER, false", "REFUSE, true"})
  void forgotten_family_isReleasedChildrenFirst(CloseWithChildren policy, boolean cycle) {
    HandleType parents = parents("net " + policy + cycle, policy);
    Long[] family = forgetFamily(parents, children(parents), cycle);
    drainUntil(family[0]);
    assertThat(Native.order(family)).hasSize(3).last().isEqualTo(family[0]);
    assertThat(Handles.snapshot().of(parents).open()).isZero();
  }

  private static void drainUntil(long value) {
    for (int i = 0; i < 10 && Native.closes(value) == 0; i++) {
      assertThat(Handles.drain(LIMIT)).isTrue();
    }
  }

  private static Long[] forgetFamily(HandleType parents, HandleType children, boolean cycle) {
    GuardedThing parent = GuardedThing.open(parents);
    Thing a = Thing.openChild(children, parent);
    Thing b = Thing.openChild(children, parent);
    if (cycle) {
      parent.kept = List.of(a, b);
      a.kept = parent;
    }
    return new Long[] {parent.value(), a.value(), b.value()};
  }

  @Test
  void forgotten_parentOfALivingChild_isReleasedAfterTheChildIsClosed() {
    HandleType parents = parents("living child", null);
    HandleType children = children(parents);
    List<Thing> living = new ArrayList<>();
    long parent = openUnder(parents, children, living);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(parent)).isZero();
    assertThat(living.get(0).withLong(value -> value)).isEqualTo(living.get(0).value());
    living.get(0).close();
    drainUntil(parent);
    assertThat(Native.order(parent, living.get(0).value()))
        .containsExactly(living.get(0).value(), parent);
  }

  private static long openUnder(HandleType parents, HandleType children, List<Thing> living) {
    GuardedThing parent = GuardedThing.open(parents);
    living.add(Thing.openChild(children, parent));
    return parent.value();
  }

  @Test
  void forgotten_childOfADeferredParent_releasesBoth() {
    HandleType parents = parents("deferred", CloseWithChildren.DEFER);
    HandleType children = children(parents);
    GuardedThing parent = GuardedThing.open(parents);
    long child = Thing.forgetChild(children, parent);
    parent.close();
    drainUntil(parent.value());
    assertThat(Native.order(child, parent.value())).containsExactly(child, parent.value());
    assertThat(Handles.snapshot().of(parents).closed()).isOne();
    assertThat(Handles.snapshot().of(children).forgotten()).isOne();
  }
}
