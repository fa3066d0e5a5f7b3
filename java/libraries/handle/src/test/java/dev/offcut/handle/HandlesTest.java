package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HandlesTest extends HandleTests {
  /** Remembers what it hears of one type. */
  private static class Hearing implements HandleListener {
    final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    final List<StackTraceElement> tops = Collections.synchronizedList(new ArrayList<>());
    final HandleType of;

    Hearing(HandleType of) {
      this.of = of;
      Handles.addListener(this);
    }

    @Override
    public void forgotten(String type, long count, List<StackTraceElement> site) {
      if (type.equals(of.name())) {
        heard.add("forgotten " + count);
        site.stream().limit(1).forEach(tops::add);
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
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    Handles.detection(Detection.FULL);
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(hearing.heard).containsExactly("forgotten 1", "forgotten 1");
    assertThat(hearing.tops)
        .extracting(StackTraceElement::getMethodName)
        .containsExactly("listener_ofForgottenHandles_hearsTypeCountAndSite");
  }

  @Test
  void listener_ofHandlesOpenedThroughALibrary_hearsTheFirstFrameOutsideOfIt() {
    HandleType type =
        named("through")
            .openedThrough("shop.none", "dev.offcut.handle") // of which this class is
            .create();
    Hearing hearing = new Hearing(type);
    Handles.detection(Detection.FULL);
    Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(hearing.tops)
        .hasSize(1)
        .noneMatch(top -> top.getClassName().startsWith("dev.offcut.handle."));
  }

  @Test
  void listener_atLevelOff_hearsNothingAndTheNetStillReleases() {
    HandleType type = type("off");
    Hearing hearing = new Hearing(type);
    Handles.detection(Detection.OFF);
    long value = Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isOne();
    assertThat(hearing.heard).isEmpty();
  }

  @Test
  void listener_ofAReleaserThatThrowsInTheNet_hearsAndTheNetGoesOn() {
    HandleType type = named("throws").releaser(HandlesTest::closeAndThrow).create();
    Hearing hearing = new Hearing(type);
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

  // Releasers in the net.

  @Test
  void releaser_thatClosesAnotherHandleInTheNet_releasesBothOnce() {
    HandleType type = type("closed by the net");
    HandleType closer = named("closes another").releaser(HandlesTest::closeOther).create();
    other = Thing.open(type);
    long value = Thing.forget(closer);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isOne();
    assertThat(Native.closes(other.value())).isOne();
    assertThat(other.isClosed()).isTrue();
    assertThat(Handles.snapshot().of(type).closed()).isOne();
  }

  private static Thing other =
      Thing.reserve(HandleType.named("HandlesTest.none").releaser(Native::close).create());

  private static void closeOther(long value) {
    other.close();
    Native.close(value);
  }

  // Drain.

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
    HandleType type = named("hangs").releaser(value -> Await.latch(LET_GO)).create();
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

  @Test
  void drain_interrupted_isFalseAndKeepsTheFlag() {
    Thread.currentThread().interrupt();
    assertThat(Handles.drain(LIMIT)).isFalse();
    assertThat(Thread.interrupted()).isTrue();
  }

  // Levels.

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
