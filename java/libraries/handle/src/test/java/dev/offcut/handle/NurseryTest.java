package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NurseryTest extends HandleTests {
  private static Nursery nursery(HandleType type, int slots) {
    return Nursery.create(type.nurseries, Thread.currentThread(), slots);
  }

  static List<Nursery> nurseries(HandleType type) {
    List<Nursery> found = new ArrayList<>();
    NurseryList.visit(
        nursery -> {
          if (nursery.type == type) {
            found.add(nursery);
          }
        });
    return found;
  }

  // Claims.

  @Test
  void table_isTheCollectorsToClear_fromTheFirstClaimOn() {
    Nursery nursery = nursery(type("cleared"), 4);
    fillTheHeap();
    assertThat(nursery.isTableGone()).isFalse();
    assertThat(nursery.claimSlowly()).isNotNull();
    fillTheHeap();
    assertThat(nursery.isTableGone()).isTrue();
  }

  /** Before it throws, the JVM clears all soft references. */
  private static void fillTheHeap() {
    int most = (int) Math.min(Integer.MAX_VALUE - 8, Runtime.getRuntime().maxMemory() / Long.BYTES);
    assertThatThrownBy(
            () -> {
              for (Object[] all = {null}; ; ) {
                all = new Object[] {all, new long[most]};
              }
            })
        .isInstanceOf(OutOfMemoryError.class);
  }

  // Growth and retirement.

  @Test
  void open_moreThanFit_growsByDoubling() {
    HandleType type = type("grows");
    List<Thing> things = Thing.open(type, 600);
    assertThat(nurseries(type).stream().map(Nursery::capacity).sorted())
        .containsExactly(16, 32, 64, 128, 256);
    assertThat(nurseries(type)).filteredOn(nursery -> nursery.owner != null).hasSize(1);
    things.forEach(Thing::close);
    assertThat(things).allMatch(thing -> Native.closes(thing.value()) == 1);
  }

  /**
   * What few handles reach may be most of the heap. A concurrent collector that marks while the net
   * looks at a table keeps all of it for a whole cycle, so the table must be small.
   */
  @Test
  void open_few_staysSmallAndIsPromotedByTheOpener() {
    HandleType type = type("few");
    List<Thing> things = Thing.open(type, 200);
    assertThat(nurseries(type)).hasSize(1);
    assertThat(nurseries(type).get(0).capacity()).isEqualTo(Settings.MIN_SLOTS);
    assertThat(nurseries(type).get(0).open()).isLessThanOrEqualTo(Settings.MIN_SLOTS);
    things.forEach(Thing::close);
    assertThat(things).allMatch(thing -> Native.closes(thing.value()) == 1);
  }

  /** The next nursery of a thread that opened much once, and now little. */
  @Test
  void open_fewAfterMany_isInASmallNurseryAgain() {
    HandleType type = type("fewAgain");
    List<Thing> things = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      things.addAll(Thing.open(type, round == 0 ? 600 : 20));
      Reaper.pass(true, true);
    }
    things.add(Thing.open(type));
    assertThat(nurseries(type))
        .filteredOn(nursery -> nursery.owner != null)
        .allMatch(nursery -> nursery.capacity() == Settings.MIN_SLOTS)
        .hasSize(1);
    things.forEach(Thing::close);
  }

  @Test
  void open_andCloseInTurn_staysInOneSmallNursery() {
    HandleType type = type("stays");
    for (int i = 0; i < 10_000; i++) {
      Thing.open(type).close();
    }
    assertThat(nurseries(type)).hasSizeLessThanOrEqualTo(3);
    assertThat(nurseries(type)).allMatch(nursery -> nursery.capacity() == Settings.MIN_SLOTS);
    assertThat(Handles.snapshot().of(type).opened()).isEqualTo(10_000);
    assertThat(Handles.snapshot().of(type).closed()).isEqualTo(10_000);
  }

  @Test
  void rotation_ofAnEmptyNursery_dropsItAfterTwoLooks() {
    HandleType type = type("dropped");
    Thing.open(type).close();
    Nursery nursery = nurseries(type).get(0);
    for (int i = 0; i < Settings.EMPTY_LOOKS; i++) {
      assertThat(nursery.isTableGone()).isFalse();
      Reaper.pass(false, true);
    }
    assertThat(nursery.isTableGone()).isTrue();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(nurseries(type)).doesNotContain(nursery);
    assertThat(Handles.snapshot().of(type).opened()).isOne();
  }

  @Test
  void owner_thatDied_losesItsNurseryAndNoHandle() throws InterruptedException {
    HandleType type = type("dead owner");
    List<Thing> kept = new ArrayList<>();
    long[] forgotten = new long[1];
    Thread opener =
        new Thread(
            () -> {
              kept.add(Thing.open(type));
              forgotten[0] = Thing.forget(type);
            });
    opener.start();
    opener.join();
    assertThat(nurseries(type)).allMatch(Nursery::isOwnerDead);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(forgotten[0])).isOne();
    assertThat(Native.closes(kept.get(0).value())).isZero();
    kept.get(0).close();
    assertThat(Native.closes(kept.get(0).value())).isOne();
  }

  // The group rule, which memory pressure leaves.

  @Test
  void tableDropped_livingHandles_closeAsBefore() {
    HandleType type = type("pressure closes");
    Thing one = Thing.open(type);
    Thing two = Thing.open(type);
    nurseries(type).get(0).drop();
    one.close();
    assertThat(Native.closes(one.value())).isOne();
    assertThat(Handles.snapshot().of(type).open()).isOne();
    assertThat(Handles.snapshot().of(type).pinned()).isZero();
    two.close();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(two.value())).isOne();
    assertThat(Native.closes(one.value())).isOne();
  }

  @Test
  void tableDropped_forgottenHandles_areReleasedOnceAfterTheLast() {
    HandleType type = type("pressure forgotten");
    List<Thing> living = new ArrayList<>(List.of(Thing.open(type)));
    List<Long> forgotten = List.of(Thing.forget(type), Thing.forget(type));
    nurseries(type).get(0).drop();
    assertThat(Handles.snapshot().of(type).pinned()).isEqualTo(3);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(forgotten).allMatch(value -> Native.closes(value) == 0);
    long last = living.remove(0).value();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(forgotten).allMatch(value -> Native.closes(value) == 1);
    assertThat(Native.closes(last)).isOne();
    assertThat(Handles.snapshot().of(type).forgotten()).isEqualTo(3);
    assertThat(Handles.snapshot().of(type).open()).isZero();
  }

  @Test
  void tableDropped_familyInIt_isReleasedInOrder() {
    HandleType parents = type("pressure parents");
    HandleType children = named("pressure children").childOf(parents).create();
    Long[] family = forgetFamily(parents, children);
    nurseries(parents).forEach(Nursery::drop);
    nurseries(children).forEach(Nursery::drop);
    for (int i = 0; i < 5 && Native.closes(family[0]) == 0; i++) {
      assertThat(Handles.drain(LIMIT)).isTrue();
    }
    assertThat(Native.order(family)).hasSize(3).last().isEqualTo(family[0]);
  }

  private static Long[] forgetFamily(HandleType parents, HandleType children) {
    GuardedThing parent = GuardedThing.open(parents);
    return new Long[] {
      parent.value(), Thing.forgetChild(children, parent), Thing.forgetChild(children, parent)
    };
  }

  private static void closeAndThrow(long value) {
    Native.close(value);
    throw new StackOverflowError("thrown by a releaser");
  }

  @Test
  void tableDropped_neverOpenedChildOfAParentWhoseReleaserThrows_losesNoOther() {
    HandleType parents =
        named("parent throws")
            .releaser(NurseryTest::closeAndThrow)
            .closeWithChildren(CloseWithChildren.DEFER)
            .create();
    HandleType children = named("never opened").childOf(parents).create();
    GuardedThing closing = GuardedThing.open(parents);
    GuardedThing open = GuardedThing.open(parents);
    Thing.reserveAndForget(children, closing);
    long forgotten = Thing.forgetChild(children, open);
    closing.close();
    nurseries(children).forEach(Nursery::drop);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(closing.value())).isOne();
    assertThat(Native.closes(forgotten)).isOne();
    assertThatThrownBy(open::close).isInstanceOf(StackOverflowError.class);
  }
}
