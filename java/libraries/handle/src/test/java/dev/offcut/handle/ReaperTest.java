package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReaperTest {
  private static final HandleType TYPE =
      HandleType.named("ReaperTest").releaser(Native::close).create();

  private static List<Thread> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(name))
        .toList();
  }

  @Test
  void threads_ofTheNet_areOneReaperAndOneReleaserAndDaemons() {
    Thing.open(TYPE).close();
    assertThat(threads("offcut-reaper")).hasSize(1).allMatch(Thread::isDaemon);
    assertThat(threads("offcut-releaser"))
        .hasSize(1)
        .allMatch(Thread::isDaemon)
        .allMatch(thread -> thread.getContextClassLoader() == null);
  }

  /** The opener saw a reaper; then a snapshot took its nursery out of the list of arrivals. */
  @Test
  @SuppressWarnings("LockOnNonEnclosingClassLiteral") // the lock of whoever starts a reaper
  void stop_afterAnOpeningThatASnapshotHasSeen_isRefused() throws InterruptedException {
    Thread ended = Reaper.askToEnd();
    if (ended != null) {
      ended.join();
    }
    HandleType type = HandleType.named("ReaperTest.stop").releaser(Native::close).create();
    long seen;
    synchronized (Reaper.class) { // whoever starts a reaper
      seen = Reaper.arrivals();
      Reaper.thread = Thread.currentThread(); // this thread plays it
    }
    Thing.forget(type);
    Handles.snapshot();
    assertThat(Reaper.stop(seen)).isFalse();
    Reaper.askToEnd(); // other tests have left handles that it would stay for
    assertThat(Reaper.stop(Reaper.arrivals())).isTrue();
    assertThat(Reaper.isStopped()).isTrue();
    assertThat(Handles.drain(Duration.ofSeconds(20))).isTrue();
    assertThat(Handles.snapshot().of(type).forgotten()).isOne();
  }

  @Test
  void agedNursery_isRotatedWithoutACycle() throws InterruptedException {
    HandleType type = HandleType.named("ReaperTest.aged").releaser(Native::close).create();
    Thing thing = Thing.open(type);
    while (type.registry.isEmpty()) {
      Thread.onSpinWait(); // at most two seconds, with or without the collector
    }
    assertThat(Handles.snapshot().of(type).promoted()).isOne();
    thing.close();
  }

  @Test
  void types_thatNobodyHolds_areForgotten() {
    int before = NurseryList.types().size();
    for (int i = 0; i < 50; i++) {
      HandleType.named("ReaperTest.type").releaser(Native::close).create();
    }
    assertThat(NurseryList.types().size()).isGreaterThan(before);
    for (int i = 0; i < 100 && NurseryList.types().size() >= before + 50; i++) {
      System.gc();
    }
    assertThat(NurseryList.types().size()).isLessThan(before + 50);
  }
}
