package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @AfterEach
  void check() {
    Handles.verify();
  }

  private static HandleType type(String name, int size) {
    return HandleType.named("GroupTest." + name).releaser(Native::close).groupSize(size).create();
  }

  private static Group group(HandleType type) {
    Group group = new Group.Token(type).group();
    Registry.CellRange range = new Registry.CellRange();
    type.registry().insert(group, range);
    type.registry().giveBack(range);
    return group;
  }

  // The mask.

  @Test
  void take_values_eachOnce() {
    Group group = group(type("take", 64));
    for (long value = 1; value <= 64; value++) {
      group.add(value);
    }
    assertThat(group.isFull()).isTrue();
    assertThat(group.open()).isEqualTo(64);
    for (long value = 64; value >= 1; value--) {
      assertThat(group.take(value)).isTrue();
      assertThat(group.take(value)).isFalse();
    }
    assertThat(group.open()).isZero();
  }

  @Test
  void take_equalValues_asOftenAsTheyWereAdded() {
    Group group = group(type("equal", 4));
    group.add(7);
    group.add(7);
    group.add(8);
    assertThat(group.take(7)).isTrue();
    assertThat(group.take(7)).isTrue();
    assertThat(group.take(7)).isFalse();
    assertThat(group.open()).isOne();
  }

  @Test
  void undoAdd_ofAValueThatAnotherHas_leavesOne() {
    Group group = group(type("undo", 4));
    group.add(7);
    group.add(7);
    group.undoAdd();
    assertThat(group.open()).isOne();
    assertThat(group.take(7)).isTrue();
    assertThat(group.take(7)).isFalse();
  }

  @Test
  void seal_emptyGroup_leavesTheRegistry() {
    HandleType type = type("seal", 4);
    Group group = group(type);
    group.add(7);
    assertThat(group.take(7)).isTrue();
    assertThat(Segment.at(group.index())).isSameAs(group);
    group.seal();
    assertThat(Segment.at(group.index())).isNull();
    assertThat(type.registry().isEmpty()).isTrue();
  }

  @Test
  void take_lastOfASealedGroup_leavesTheRegistry() {
    HandleType type = type("last", 4);
    Group group = group(type);
    Group.Token token = group.held();
    group.add(7);
    group.seal();
    assertThat(group.take(7)).isTrue();
    assertThat(type.registry().isEmpty()).isTrue();
    assertThat(token.group()).isSameAs(group);
  }

  // Handles in groups.

  @Test
  void promotion_ofManyHandles_fillsGroups() {
    HandleType type = type("fills", 4);
    List<Thing> things = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      things.add(Thing.open(type));
    }
    Reaper.pass(false, true);
    assertThat(type.registry().open()).isEqualTo(10);
    assertThat(Handles.snapshot().of(type).pinned()).isEqualTo(10);
    things.forEach(Thing::close);
    assertThat(type.registry().isEmpty()).isTrue();
    assertThat(things).allMatch(thing -> Native.closes(thing.value()) == 1);
  }

  @Test
  void forgotten_memberWithLivingNeighbours_waitsForThem() {
    HandleType type = type("pins", 4);
    List<Thing> living = new ArrayList<>(List.of(Thing.open(type), Thing.open(type)));
    long forgotten = Thing.forget(type);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(forgotten)).isZero();
    assertThat(Handles.snapshot().of(type).pinned()).isEqualTo(3);
    living.remove(0).close();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(forgotten)).isZero();
    long last = living.remove(0).value();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(forgotten)).isOne();
    assertThat(Native.closes(last)).isOne();
    assertThat(Handles.snapshot().of(type).forgotten()).isEqualTo(2);
  }

  @Test
  void use_ofALivingMemberOfAnAgedGroup_movesItOutAndFreesTheForgotten() {
    HandleType type = type("moves", 4);
    Thing living = Thing.open(type);
    long forgotten = Thing.forget(type);
    Reaper.pass(false, true);
    int birth = GcClock.cycles();
    assertThat(living.withLong(value -> value)).isEqualTo(living.value());
    while (GcClock.cycles() - birth < Settings.GROUP_AGE_CYCLES) {
      assertThat(Handles.drain(LIMIT)).isTrue();
    }
    assertThat(Native.closes(forgotten)).isZero();
    assertThat(living.withLong(value -> value)).isEqualTo(living.value());
    assertThat(type.registry().open()).isOne();
    assertThat(Handles.snapshot().of(type).open()).isEqualTo(2);
    assertThat(Handles.snapshot().of(type).opened()).isEqualTo(2);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(Native.closes(forgotten)).isOne();
    assertThat(Native.closes(living.value())).isZero();
    living.close();
    assertThat(Native.closes(living.value())).isOne();
    assertThat(Handles.snapshot().of(type).opened()).isEqualTo(2);
    assertThat(Handles.snapshot().of(type).closed()).isOne();
  }

  @Test
  void releaser_thatThrowsForOneMember_losesNoOther() {
    HandleType type =
        HandleType.named("GroupTest.throws")
            .releaser(GroupTest::closeAndThrow)
            .groupSize(4)
            .create();
    List<Long> values = List.of(Thing.forget(type), Thing.forget(type), Thing.forget(type));
    throwing = values.get(1);
    Reaper.pass(false, true); // into one group
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(values).allMatch(value -> Native.closes(value) == 1);
    assertThat(Handles.snapshot().of(type).failures()).isOne();
  }

  private static volatile long throwing;

  private static void closeAndThrow(long value) {
    Native.close(value);
    if (value == throwing) {
      throw new OutOfMemoryError("thrown by a releaser");
    }
  }
}
