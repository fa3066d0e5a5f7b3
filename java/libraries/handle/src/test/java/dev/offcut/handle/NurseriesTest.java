package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.Await;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NurseriesTest extends HandleTests {
  private static final @Nullable Method VIRTUAL = findVirtual();

  @Test
  void open_inMoreThreadsThanTheDirectoryHasPlaces_losesNothing() throws InterruptedException {
    HandleType type = type("threads");
    List<Thing> kept = Collections.synchronizedList(new ArrayList<>());
    List<Long> forgotten = Collections.synchronizedList(new ArrayList<>());
    int count = 600;
    CountDownLatch all = new CountDownLatch(count);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < count; t++) {
      Thread thread =
          new Thread(
              () -> {
                kept.add(Thing.open(type));
                all.countDown();
                Await.latch(all); // all alive at once, so that they collide
                for (int i = 0; i < 10; i++) {
                  Thing.open(type).close();
                }
                forgotten.add(Thing.forget(type));
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
    assertThat(Handles.snapshot().of(type).opened()).isEqualTo(count * 12L);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(forgotten).hasSize(count).allMatch(value -> Native.closes(value) == 1);
    kept.forEach(Thing::close);
    assertThat(kept).hasSize(count).allMatch(thing -> Native.closes(thing.value()) == 1);
    assertThat(Handles.snapshot().of(type).open()).isZero();
  }

  @Test
  void open_inVirtualThreads_sharesAFewNurseries() throws Exception {
    for (Detection level : Detection.values()) {
      Handles.detection(level);
      openInVirtualThreads(type("virtual " + level));
    }
  }

  private static void openInVirtualThreads(HandleType type) throws Exception {
    List<Thing> kept = Collections.synchronizedList(new ArrayList<>());
    List<Long> forgotten = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 500; t++) {
      Runnable work =
          () -> {
            Thing.open(type).close();
            kept.add(Thing.open(type));
            forgotten.add(Thing.forget(type));
          };
      threads.add(start(work));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(NurseryTest.nurseries(type))
        .hasSizeLessThan(VIRTUAL == null ? 600 : 100)
        .noneMatch(nursery -> VIRTUAL != null && nursery.owner instanceof Thread);
    assertThat(Handles.snapshot().of(type).opened()).isEqualTo(1_500);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(forgotten).hasSize(500).allMatch(value -> Native.closes(value) == 1);
    kept.forEach(Thing::close);
    assertThat(Handles.snapshot().of(type).closed()).isEqualTo(1_000);
    assertThat(Handles.snapshot().of(type).forgotten()).isEqualTo(500);
  }

  private static Thread start(Runnable work) throws ReflectiveOperationException {
    if (VIRTUAL != null) {
      return (Thread) VIRTUAL.invoke(null, work);
    }
    Thread thread = new Thread(work);
    thread.start();
    return thread;
  }

  private static @Nullable Method findVirtual() {
    try {
      return Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException e) {
      return null; // before JDK 21: platform threads then
    }
  }

  @Test
  void open_moreThanTheLargestNurseryHolds_promotesByTheOpener() {
    HandleType type = type("full");
    List<Thing> things = new ArrayList<>();
    int count = 3 * Settings.MAX_SLOTS;
    for (int i = 0; i < count; i++) {
      things.add(Thing.open(type, () -> 1));
    }
    HandleSnapshot.OfType of = Handles.snapshot().of(type);
    assertThat(of.opened()).isEqualTo(count);
    assertThat(of.open()).isEqualTo(count);
    assertThat(of.promoted()).isGreaterThan(Settings.MAX_SLOTS);
    things.forEach(Thing::close);
    assertThat(Handles.snapshot().of(type).closed()).isEqualTo(count);
    assertThat(type.registry.isEmpty()).isTrue();
  }
}
