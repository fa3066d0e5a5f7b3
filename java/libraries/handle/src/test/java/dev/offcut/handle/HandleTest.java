package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HandleTest extends HandleTests {
  /** Where a handle is when the test closes, uses or forgets it. */
  enum Place {
    YOUNG,
    TENURED;

    HandleType type(String name) {
      return HandleType.named("HandleTest." + name).releaser(Native::close).create();
    }

    /** Brings what has been opened so far to this place. */
    void reach() {
      if (this != YOUNG) {
        Reaper.pass(false, true);
      }
    }
  }

  // Opening.

  @Test
  void open_whatTheNativeOpenReturned_isTheValueOfEveryUse() {
    Thing thing = Thing.open(Place.YOUNG.type("open"));
    assertThat(thing.<Long>with(value -> value).longValue()).isEqualTo(thing.value());
    assertThat(thing.withLong(value -> value + 1)).isEqualTo(thing.value() + 1);
    assertThat(thing.beginUse()).isEqualTo(thing.value());
    thing.endUse();
    thing.close();
  }

  // One owner.

  /** A subclass that asks for copies. */
  private static class Copied extends Handle implements Cloneable {
    private static final HandleType TYPE =
        HandleType.named("HandleTest.copied").releaser(Native::close).create();

    private long value;

    Copied() {
      open(() -> value = Native.open());
    }

    Object copy() throws CloneNotSupportedException {
      return clone();
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  @Test
  void clone_ofACloneableSubclass_isRefused() {
    Copied handle = new Copied();
    assertThatThrownBy(handle::copy)
        .isInstanceOf(CloneNotSupportedException.class)
        .hasMessage(
            "HandleTest.copied: a handle is the one owner of its resource, and cannot be copied");
    handle.close();
    assertThat(Native.closes(handle.value)).isOne();
  }

  @Test
  void open_nativeOpenThrows_givesThePlaceBack() {
    HandleType type = Place.YOUNG.type("open throws");
    Thing thing = Thing.reserve(type);
    assertThatThrownBy(() -> thing.open(Native.NOTHING))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such resource");
    assertThat(thing.isClosed()).isTrue();
    assertThatCode(thing::close).doesNotThrowAnyException();
    assertThatThrownBy(thing::beginUse).isInstanceOf(ClosedHandleException.class);
    assertThat(Handles.snapshot().of(type).opened()).isZero();
    assertThat(Handles.snapshot().of(type).open()).isZero();
  }

  @Test
  void open_placeIsReserved_beforeTheNativeOpenRuns() {
    HandleType type = Place.YOUNG.type("record before resource");
    Thing thing =
        Thing.open(
            type,
            () -> {
              assertThat(Handles.snapshot().of(type).open()).isOne();
              return Native.open();
            });
    thing.close();
    assertThat(Native.closes(thing.value())).isOne();
  }

  /** No call declares one: Kotlin and {@code MethodHandle.invokeExact} have no type for it. */
  @Test
  void checkedExceptions_ofOpenUseAndReleaser_areTheCause() {
    HandleType type = Place.YOUNG.type("checked");
    ThrowableAssert.ThrowingCallable[] calls = {
      () -> Thing.open(type, HandleTest::throwChecked),
      () -> Thing.open(type).with(value -> throwChecked()),
      () -> Thing.open(type).withLong(value -> throwChecked()),
    };
    for (ThrowableAssert.ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(UndeclaredThrowableException.class)
          .hasMessageContaining(type.name() + ": java.io.IOException: checked")
          .hasCauseInstanceOf(IOException.class);
    }
    Thing thing = Thing.open(named("checked releaser").releaser(value -> throwChecked()).create());
    assertThatThrownBy(thing::close)
        .isInstanceOf(UndeclaredThrowableException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(thing.isClosed()).isTrue();
  }

  private static long throwChecked() throws IOException {
    throw new IOException("checked");
  }

  @Test
  void open_rotatedWhileTheNativeOpenRuns_isReleasedWhenForgotten() {
    HandleType type = Place.YOUNG.type("rotated while opening");
    long value = forgetRotated(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isOne();
  }

  private static long forgetRotated(HandleType type) {
    return Thing.open(
            type,
            () -> {
              Reaper.pass(true, true);
              Reaper.pass(true, true);
              Reaper.pass(true, true);
              return Native.open();
            })
        .value();
  }

  @Test
  void open_secondTime_isRefused() {
    Thing thing = Thing.open(Place.YOUNG.type("open twice"));
    assertThatThrownBy(() -> thing.open(Native::open))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not new");
    assertThat(thing.isClosed()).isFalse();
    thing.close();
    assertThatThrownBy(() -> thing.open(Native::open)).isInstanceOf(IllegalStateException.class);
    assertThat(Native.closes(thing.value())).isOne();
  }

  @Test
  void adopt_secondTime_isRefusedAndTheCallerStillOwns() {
    Thing thing = Thing.open(Place.YOUNG.type("adopt twice"));
    long second = Native.open();
    assertThatThrownBy(() -> thing.adopt(second))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the caller still owns");
    thing.close();
    assertThatThrownBy(() -> thing.adopt(second)).isInstanceOf(IllegalStateException.class);
    assertThat(Native.closes(second)).isZero();
    assertThat(Native.closes(thing.value())).isOne();
  }

  @Test
  void adopt_rawZero_isAnOrdinaryValue() {
    HandleType type = HandleType.named("HandleTest.zero").releaser(HandleTest::freeZero).create();
    Thing thing = Thing.open(type, () -> 0);
    assertThat(thing.withLong(value -> value)).isZero();
    Reaper.pass(false, true);
    assertThat(thing.withLong(value -> value)).isZero();
    thing.close();
    assertThat(zerosFreed).isOne();
    assertThat(forgottenZero(type)).isZero();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(zerosFreed).isEqualTo(2);
  }

  private static volatile int zerosFreed;

  private static synchronized void freeZero(long value) {
    zerosFreed += value == 0 ? 1 : 100;
  }

  private static long forgottenZero(HandleType type) {
    return Thing.open(type, () -> 0).value();
  }

  @Test
  void adopt_reservedValue_isReleasedAndRefused() {
    HandleType type = Place.YOUNG.type("reserved");
    long reserved = 0x9E37_79B9_7F4A_7C15L;
    Thing thing = Thing.reserve(type);
    assertThatThrownBy(() -> thing.open(() -> reserved))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0x9e3779b97f4a7c15")
        .hasMessageContaining("has been released");
    assertThat(Native.closes(reserved)).isOne();
    assertThat(thing.isClosed()).isTrue();
    assertThat(Handles.snapshot().of(type).open()).isZero();
  }

  @Test
  void constructor_throwsBeforeOpen_leavesNothingOpen() {
    HandleType type = Place.YOUNG.type("constructor throws");
    Thing.reserveAndForget(type, null);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (Handles.snapshot().of(type).open() > 0 && System.nanoTime() - end < 0) {
      Handles.drain(LIMIT); // of a place that nobody opened it knows nothing
    }
    assertThat(Handles.snapshot().of(type).open()).isZero();
  }

  // While the native open is under way.

  @Test
  void close_whileTheNativeOpenRuns_isRefused() {
    HandleType type = Place.YOUNG.type("close while opening");
    Thing thing = Thing.reserve(type);
    thing.open(
        () -> {
          assertThatThrownBy(thing::close)
              .isInstanceOf(IllegalStateException.class)
              .isNotInstanceOf(ClosedHandleException.class)
              .hasMessageContaining("native open is under way");
          assertThatThrownBy(thing::beginUse)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("native open is under way");
          assertThat(thing.isClosed()).isFalse();
          assertThat(thing.toString()).endsWith("opening");
          return Native.open();
        });
    assertThat(thing.toString()).startsWith("HandleTest.close while opening@").endsWith("open");
    thing.close();
    assertThat(thing.toString()).endsWith("closed");
  }

  // Closing.

  @ParameterizedTest
  @EnumSource
  void close_atEveryLevel_releasesOnce(Place place) {
    for (Detection level : Detection.values()) {
      Handles.detection(level);
      Thing thing = Thing.open(place.type("close at " + level + place));
      place.reach();
      thing.close();
      thing.close();
      assertThat(Native.closes(thing.value())).isOne();
      assertThat(thing.isClosed()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_releaserThrows_reachesTheCloserAndTheHandleIsClosed(Place place) {
    HandleType type =
        HandleType.named("HandleTest.throws " + place).releaser(HandleTest::refuse).create();
    Thing thing = Thing.open(type);
    place.reach();
    assertThatThrownBy(thing::close).isInstanceOf(AssertionError.class).hasMessage("refused");
    assertThat(thing.isClosed()).isTrue();
    assertThatCode(thing::close).doesNotThrowAnyException();
    assertThat(Handles.snapshot().of(type).failures()).isOne();
    assertThat(Handles.snapshot().of(type).closed()).isOne();
  }

  private static void refuse(long value) {
    throw new AssertionError("refused");
  }

  @Test
  void close_fromItsOwnReleaser_hasNoEffect() {
    HandleType type =
        HandleType.named("HandleTest.itself").releaser(HandleTest::closeAgain).create();
    again = Thing.open(type);
    again.close();
    assertThat(Native.closes(again.value())).isOne();
  }

  private static Thing again = Thing.reserve(Place.YOUNG.type("never opened"));

  private static void closeAgain(long value) {
    again.close();
    Native.close(value);
  }

  // Use after close.

  @ParameterizedTest
  @EnumSource
  void use_afterClose_namesTypeAndHowToSeeTheSites(Place place) {
    Thing thing = Thing.open(place.type("used " + place));
    place.reach();
    thing.close();
    assertThatThrownBy(() -> thing.withLong(value -> value))
        .isInstanceOf(ClosedHandleException.class)
        .hasMessageContaining("HandleTest.used " + place)
        .hasMessageContaining("-Doffcut.handle.detection=full");
  }

  @ParameterizedTest
  @EnumSource(names = {"YOUNG", "TENURED"})
  void use_afterCloseAtLevelFull_namesBothSitesOutsideTheHandle(Place place) {
    Handles.detection(Detection.FULL);
    Thing thing = openHere(place.type("sited " + place));
    place.reach();
    closeHere(thing);
    assertThatThrownBy(thing::beginUse)
        .isInstanceOf(ClosedHandleException.class)
        .hasMessageContaining("opened at " + HandleTest.class.getName() + ".openHere(")
        .hasMessageContaining("closed at " + HandleTest.class.getName() + ".closeHere(");
  }

  private static Thing openHere(HandleType type) {
    return Thing.open(type);
  }

  private static void closeHere(Thing thing) {
    thing.close();
  }

  // Forgetting.

  @ParameterizedTest
  @EnumSource
  void forgotten_isReleasedOnceAndCounted(Place place) {
    HandleType type = place.type("forgotten " + place);
    long value = Thing.forget(type);
    place.reach();
    if (place == Place.YOUNG) {
      // As under memory pressure. A drain would promote it: from here on its nursery's record
      // has it.
      NurseryTest.nurseries(type).forEach(Nursery::drop);
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value)).isOne();
    assertThat(Handles.snapshot().of(type).promoted()).isEqualTo(place == Place.YOUNG ? 0 : 1);
    assertThat(Handles.snapshot().of(type).forgotten()).isOne();
    assertThat(Handles.snapshot().of(type).open()).isZero();
  }

  @Test
  void forgotten_whileInUseByAnotherThread_isNotReleased() throws InterruptedException {
    HandleType type = Place.YOUNG.type("in use");
    long[] value = new long[1];
    int[] closesInUse = new int[1];
    Thread user = new Thread(() -> useWhileCollected(type, value, closesInUse));
    user.start();
    user.join();
    assertThat(closesInUse[0]).isZero();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(value[0])).isOne();
  }

  private static void useWhileCollected(HandleType type, long[] value, int[] closesInUse) {
    Thing.open(type)
        .with(
            raw -> {
              value[0] = raw;
              Handles.drain(LIMIT);
              closesInUse[0] = Native.closes(raw);
              return null;
            });
  }
}
