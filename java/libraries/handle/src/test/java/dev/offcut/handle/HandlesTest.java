package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HandlesTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @AfterEach
  void check() {
    Listeners.removeAll();
    Handles.detection(Detection.COUNT);
    Handles.verify();
  }

  private static HandleType type(String name) {
    return HandleType.named("HandlesTest." + name).releaser(Native::close).create();
  }

  /** Remembers what it hears of one type. */
  private static class Hearing implements HandleListener {
    final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    final HandleType of;

    Hearing(HandleType of) {
      this.of = of;
    }

    @Override
    public void forgotten(String type, long count, List<StackTraceElement> site) {
      if (type.equals(of.name())) {
        heard.add(
            "forgotten " + count + (site.isEmpty() ? "" : " at " + site.get(0).getMethodName()));
      }
    }

    @Override
    public void releaseFailed(String type, Throwable failure) {
      if (type.equals(of.name())) {
        heard.add("failed " + failure.getMessage());
      }
    }
  }

  // The listener.

  @Test
  void listener_ofForgottenHandles_hearsTypeCountAndSite() {
    HandleType type = type("heard");
    Hearing hearing = new Hearing(type);
    Handles.addListener(hearing);
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    Handles.detection(Detection.FULL);
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(hearing.heard)
        .containsExactly(
            "forgotten 1", "forgotten 1 at listener_ofForgottenHandles_hearsTypeCountAndSite");
  }

  @Test
  void listener_ofHandlesOpenedThroughALibrary_hearsTheFirstFrameOutsideOfIt() {
    List<String> tops = Collections.synchronizedList(new ArrayList<>());
    HandleType type =
        HandleType.named("HandlesTest.through")
            .releaser(Native::close)
            .openedThrough("shop.none", "dev.offcut.handle") // of which this class is
            .create();
    Handles.addListener(
        new HandleListener() {
          @Override
          public void forgotten(String of, long count, List<StackTraceElement> site) {
            if (of.equals(type.name())) {
              tops.add(site.get(0).getClassName());
            }
          }
        });
    Handles.detection(Detection.FULL);
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(tops).hasSize(1).noneMatch(name -> name.startsWith("dev.offcut.handle."));
  }

  @Test
  void listeners_areSeveral_untilTheyAreRemoved() {
    HandleType type = type("several");
    Hearing first = new Hearing(type);
    Hearing second = new Hearing(type);
    Handles.addListener(first);
    Handles.addListener(second);
    Handles.addListener(second); // is there already
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    Handles.removeListener(first);
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(first.heard).containsExactly("forgotten 1");
    assertThat(second.heard).containsExactly("forgotten 1", "forgotten 1");
  }

  @Test
  void listener_atLevelOff_hearsNothingAndTheNetStillReleases() {
    HandleType type = type("off");
    Hearing hearing = new Hearing(type);
    Handles.addListener(hearing);
    Handles.detection(Detection.OFF);
    long value = Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isOne();
    assertThat(hearing.heard).isEmpty();
  }

  @Test
  void listener_ofAReleaserThatThrowsInTheNet_hearsAndTheNetGoesOn() {
    HandleType type =
        HandleType.named("HandlesTest.throws").releaser(HandlesTest::closeAndThrow).create();
    Hearing hearing = new Hearing(type);
    Handles.addListener(hearing);
    List<Long> values = List.of(Thing.forget(type), Thing.forget(type), Thing.forget(type));
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(values).allMatch(value -> Native.closes(value) == 1);
    assertThat(hearing.heard).contains("failed thrown by a releaser").hasSizeGreaterThan(3);
    assertThat(Handles.snapshot().of(type).failures()).isEqualTo(3);
    assertThat(Handles.snapshot().of(type).forgotten()).isEqualTo(3);
  }

  private static void closeAndThrow(long value) {
    Native.close(value);
    throw new InternalError("thrown by a releaser");
  }

  @Test
  void listener_thatThrows_isIgnored() {
    HandleType type =
        HandleType.named("HandlesTest.listener throws")
            .releaser(HandlesTest::closeAndThrow)
            .create();
    Hearing hearing =
        new Hearing(type) {
          @Override
          public void forgotten(String type, long count, List<StackTraceElement> site) {
            super.forgotten(type, count, site);
            throw new AssertionError("thrown by a listener");
          }

          @Override
          public void releaseFailed(String type, Throwable failure) {
            super.releaseFailed(type, failure);
            throw new IllegalStateException("thrown by a listener");
          }
        };
    Handles.addListener(hearing);
    long first = Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    long second = Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.order(first, second)).containsExactly(first, second);
    assertThat(hearing.heard).hasSize(4);
  }

  @Test
  void listener_thatOpensAndClosesHandles_mayDoSo() {
    HandleType type = type("listener opens");
    HandleType other = type("opened by the listener");
    Handles.addListener(
        new HandleListener() {
          @Override
          public void forgotten(String name, long count, List<StackTraceElement> site) {
            if (name.equals(type.name())) {
              Thing.open(other).close();
            }
          }
        });
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Handles.snapshot().of(other).closed()).isOne();
  }

  // Releasers in the net.

  @Test
  void releaser_thatClosesAnotherHandleInTheNet_releasesBothOnce() {
    HandleType type = type("closed by the net");
    HandleType closer =
        HandleType.named("HandlesTest.closes another").releaser(HandlesTest::closeOther).create();
    other = Thing.open(type);
    long value = Thing.forget(closer);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isOne();
    assertThat(Native.closes(other.value())).isOne();
    assertThat(other.isClosed()).isTrue();
    assertThat(Handles.snapshot().of(type).closed()).isOne();
  }

  private static Thing other = Thing.reserve(type("none"));

  private static void closeOther(long value) {
    other.close();
    Native.close(value);
  }

  @Test
  void releaser_thatForgetsAnotherHandleInTheNet_hasItReleasedLater() {
    HandleType type = type("forgotten by a releaser");
    forgottenInside = type;
    HandleType forgetter =
        HandleType.named("HandlesTest.forgets another").releaser(HandlesTest::forgetOther).create();
    Thing.forget(forgetter);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Handles.snapshot().of(type).forgotten()).isOne();
  }

  private static HandleType forgottenInside = type("unused");

  private static void forgetOther(long value) {
    Thing.forget(forgottenInside);
  }

  @Test
  void releaser_thatLeavesAnInterrupt_disturbsNobody() {
    HandleType type =
        HandleType.named("HandlesTest.interrupts").releaser(HandlesTest::interrupt).create();
    for (int i = 0; i < 5; i++) {
      Thing.forget(type);
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Handles.snapshot().of(type).forgotten()).isEqualTo(5);
    assertThat(INTERRUPTS_SEEN).hasValue(0);
  }

  private static final AtomicInteger INTERRUPTS_SEEN = new AtomicInteger();

  private static void interrupt(long value) {
    if (Thread.currentThread().isInterrupted()) {
      INTERRUPTS_SEEN.incrementAndGet();
    }
    Thread.currentThread().interrupt();
  }

  @Test
  void interrupts_ofTheNetsThreads_stopNothing() {
    HandleType type = type("interrupted");
    Thing.open(type).close(); // the threads run
    for (int i = 0; i < 20; i++) {
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("offcut-"))
          .forEach(Thread::interrupt);
      long value = Thing.forget(type);
      assertThat(Handles.drain(LIMIT)).isTrue();
      assertThat(Native.closes(value)).isOne();
    }
  }

  // Drain.

  @Test
  void drain_withNothingForgotten_isTrue() {
    assertThat(Handles.drain(LIMIT)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("dev.offcut.handle.GuardedHandleTest#forEver")
  void drain_forEver_releasesAll(Duration limit) {
    HandleType type = type("for ever");
    Thing.forget(type);
    assertThat(Handles.drain(limit)).isTrue();
    assertThat(Handles.snapshot().of(type).forgotten()).isOne();
  }

  @Test
  void drain_withoutTime_isFalse() {
    assertThat(Handles.drain(Duration.ZERO)).isFalse();
    assertThat(Handles.drain(Duration.ofSeconds(-1))).isFalse();
    assertThat(Handles.drain(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
  }

  @Test
  void drain_whileAReleaserHangs_isFalseAfterTheLimit() {
    HandleType type = HandleType.named("HandlesTest.hangs").releaser(HandlesTest::hang).create();
    Thing.forget(type);
    try {
      assertThat(Handles.drain(Duration.ofMillis(300))).isFalse();
    } finally {
      LET_GO.countDown();
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Handles.snapshot().of(type).forgotten()).isOne();
  }

  private static final CountDownLatch LET_GO = new CountDownLatch(1);

  private static void hang(long value) {
    try {
      LET_GO.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void drain_interrupted_isFalseAndKeepsTheFlag() {
    Thread.currentThread().interrupt();
    assertThat(Handles.drain(LIMIT)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void drain_manyForgotten_releasesAll() {
    HandleType type = type("many");
    for (int i = 0; i < 20_000; i++) {
      Thing.forget(type);
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Handles.snapshot().of(type).forgotten()).isEqualTo(20_000);
  }

  // Levels.

  @Test
  @SuppressWarnings("NullAway") // that is the point
  void detection_null_isRefused() {
    assertThatThrownBy(() -> Handles.detection(null)).isInstanceOf(NullPointerException.class);
    assertThat(Handles.detection()).isEqualTo(Detection.COUNT);
  }

  @Test
  void detection_set_isTheSnapshotsLevel() {
    for (Detection level : Detection.values()) {
      Handles.detection(level);
      assertThat(Handles.detection()).isEqualTo(level);
      assertThat(Handles.snapshot().level()).isEqualTo(level);
    }
  }

  @Test
  void detection_unknownWord_isTheDefault() {
    String before = System.getProperty(Detection.PROPERTY, "count");
    System.setProperty(Detection.PROPERTY, "loud");
    try {
      assertThat(Detection.configured()).isEqualTo(Detection.COUNT);
      System.setProperty(Detection.PROPERTY, "Full");
      assertThat(Detection.configured()).isEqualTo(Detection.FULL);
    } finally {
      System.setProperty(Detection.PROPERTY, before);
    }
  }

  @Test
  void detection_sample_recordsOneOpeningIn128() {
    Handles.detection(Detection.SAMPLE);
    HandleType type = type("sampled");
    for (int i = 0; i < 64 * 128; i++) {
      Thing.forget(type);
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    long sampled =
        Handles.snapshot().of(type).sites().values().stream().mapToLong(Long::longValue).sum();
    assertThat(Handles.snapshot().of(type).forgotten()).isEqualTo(64 * 128);
    assertThat(sampled).isBetween(32L, 130L);
  }
}
