package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.handle.HandleSnapshot.OfType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HandleSnapshotTest extends HandleTests {
  private static OfType of(HandleType type) {
    OfType of = Handles.snapshot().of(type);
    assertThat(of.opened()).isEqualTo(of.closed() + of.forgotten() + of.open());
    return of;
  }

  @Test
  void of_aTypeThatSharesItsName_isThatTypesAlone() {
    HandleType one = type("same");
    HandleType two = type("same");
    Thing.open(one).close();
    assertThat(Handles.snapshot().of(one).opened()).isOne();
    assertThat(Handles.snapshot().of(two).opened()).isZero();
    assertThat(Handles.snapshot().of(one).id()).isNotEqualTo(Handles.snapshot().of(two).id());
  }

  @Test
  void counts_throughALife_keepTheEquation() {
    HandleType type = type("life");
    List<Thing> things = Thing.open(type, 100);
    assertCounts(type, 100, 0, 0, 100);
    things.subList(0, 30).forEach(Thing::close);
    assertCounts(type, 100, 30, 0, 70);
    Reaper.pass(false, true);
    assertCounts(type, 100, 30, 0, 70);
    // On a slow machine the reaper's own pass may come before this one.
    assertThat(of(type).promoted()).isBetween(70L, 100L);
    things.subList(30, 50).forEach(Thing::close);
    assertCounts(type, 100, 50, 0, 50);
    assertThat(of(type).oldest()).isPositive();
    things.clear();
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertCounts(type, 100, 50, 50, 0);
    assertThat(of(type).oldest()).isZero();
  }

  @Test
  void snapshot_whileTheReaperPromotes_countsEachOnce() throws InterruptedException {
    HandleType type = type("passing");
    AtomicBoolean stop = new AtomicBoolean();
    Thread reaper =
        new Thread(
            () -> {
              while (!stop.get()) {
                Reaper.pass(false, true);
              }
            });
    reaper.start();
    try {
      for (int i = 0; i < 3_000; i++) {
        List<Thing> things = Thing.open(type, 10);
        assertThat(of(type).open()).isEqualTo(10);
        things.forEach(Thing::close);
      }
    } finally {
      stop.set(true);
      reaper.join();
    }
  }

  private static void assertCounts(
      HandleType type, long opened, long closed, long forgotten, long open) {
    OfType of = of(type);
    assertThat(List.of(of.opened(), of.closed(), of.forgotten(), of.open()))
        .as("opened, closed, forgotten, open")
        .containsExactly(opened, closed, forgotten, open);
  }

  @Test
  void counts_ofOpeningsThatFailed_doNotCount() {
    HandleType type = type("failed");
    for (int i = 0; i < 40; i++) {
      assertThatThrownBy(() -> Thing.open(type, Native.NOTHING))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertCounts(type, 0, 0, 0, 0);
  }

  @Test
  void sites_ofForgottenHandles_areCountedByOpeningStack() {
    Handles.detection(Detection.FULL);
    HandleType type = type("sites");
    for (int i = 0; i < 3; i++) {
      Thing.forget(type);
    }
    assertThat(Handles.drain(LIMIT)).isTrue();
    Map<List<StackTraceElement>, Long> sites = of(type).sites();
    assertThat(sites).hasSize(1).containsValue(3L);
    StackTraceElement top = sites.keySet().iterator().next().get(0);
    assertThat(top.getClassName()).isEqualTo(HandleSnapshotTest.class.getName());
    assertThat(top.getMethodName()).isEqualTo("sites_ofForgottenHandles_areCountedByOpeningStack");
    assertThat(Handles.snapshot().leakReport())
        .contains("type=HandleSnapshotTest.sites  3 of 3 opened")
        .contains("opened at  " + top);
  }
}
