package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NurseriesTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final @Nullable Method VIRTUAL = findVirtual();

  @AfterEach
  void check() {
    Handles.detection(Detection.COUNT);
    Handles.verify();
  }

  private static HandleType type(String name) {
    return HandleType.named("NurseriesTest." + name).releaser(Native::close).create();
  }

  @Test
  void open_inMoreThreadsThanTheDirectoryHasPlaces_losesNothing() throws InterruptedException {
    HandleType type = type("threads");
    List<Thing> kept = Collections.synchronizedList(new ArrayList<>());
    List<Long> forgotten = Collections.synchronizedList(new ArrayList<>());
    int count = 200;
    CountDownLatch all = new CountDownLatch(count);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < count; t++) {
      Thread thread =
          new Thread(
              () -> {
                kept.add(Thing.open(type));
                all.countDown();
                await(all); // all alive at once, so that they collide
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

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void open_inVirtualThreads_sharesAFewNurseries() throws Exception {
    for (Detection level : Detection.values()) {
      Handles.detection(level);
      openInVirtualThreads(type("virtual " + level));
    }
  }

  /** As those of a thread, for the same reason: see NurseryTest. */
  @Test
  void open_fewInAVirtualThread_staysInASmallNursery() throws Exception {
    HandleType type = type("few virtual");
    List<Thing> kept = Collections.synchronizedList(new ArrayList<>());
    start(
            () -> {
              for (int i = 0; i < 200; i++) {
                kept.add(Thing.open(type));
              }
            })
        .join();
    List<Integer> slots = new ArrayList<>();
    NurseryList.visit(
        nursery -> {
          if (nursery.type == type) {
            slots.add(nursery.capacity());
          }
        });
    assertThat(slots).isNotEmpty().allMatch(capacity -> capacity <= 4 * Settings.MIN_SLOTS);
    kept.forEach(Thing::close);
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
    int[] nurseries = new int[1];
    NurseryList.visit(
        nursery -> {
          if (nursery.type == type) {
            nurseries[0]++;
            assertThat(VIRTUAL != null && nursery.owner instanceof Thread).isFalse();
          }
        });
    assertThat(nurseries[0]).isLessThan(VIRTUAL == null ? 600 : 100);
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

  /**
   * What came before: threads that opened many handles, which they closed or left open; their
   * nurseries as they left them, or retired.
   */
  @Test
  void open_inAShortLivedThread_allocatesLittleWhateverCameBefore() throws Exception {
    allocatedByOne(type("warm up"));
    for (boolean close : new boolean[] {true, false}) {
      HandleType type = type("short-lived " + close);
      List<Thing> left = new ArrayList<>();
      for (int t = 0; t < 16; t++) {
        inThread(() -> openMany(type, close, left));
      }
      for (int t = 0; t < 64; t++) {
        if (t == 32) {
          Reaper.pass(false, true); // retires them
        }
        assertThat(allocatedByOne(type)).isLessThanOrEqualTo(4096);
      }
      left.forEach(Thing::close);
      assertThat(Handles.snapshot().of(type).open()).isZero();
      assertThat(Handles.snapshot().of(type).opened()).isEqualTo(16 * MANY + 64 * 2);
    }
  }

  private static final int MANY = 5_000;

  private static void openMany(HandleType type, boolean close, List<Thing> left) {
    List<Thing> things = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      things.add(Thing.open(type, () -> 1));
    }
    if (close) {
      things.forEach(Thing::close);
    } else {
      left.addAll(things);
    }
  }

  private static void inThread(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work);
    thread.start();
    thread.join();
  }

  /** The more expensive of two openings, before and after a rotation, of a thread that has two. */
  private static long allocatedByOne(HandleType type) throws InterruptedException {
    long[] most = new long[1];
    inThread(
        () -> {
          for (int i = 0; i < 2; i++) {
            long before = Allocated.bytes();
            Thing thing = Thing.open(type, () -> 1);
            most[0] = Math.max(most[0], Allocated.bytes() - before);
            if (i == 0) {
              Reaper.pass(true, true);
            }
            thing.close();
          }
        });
    return most[0];
  }

  /** Bytes that this thread has allocated. By reflection: no module here reads the JVM's beans. */
  private static final class Allocated {
    private static final Object BEAN;
    private static final Method BYTES;

    static {
      try {
        BEAN =
            Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        BYTES =
            Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getThreadAllocatedBytes", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
      for (int i = 0; i < 300; i++) {
        bytes(); // at the 128th call the JDK makes code for the method, of 35 KB, in that thread
      }
    }

    @SuppressWarnings("deprecation") // threadId() came with 19
    static long bytes() {
      try {
        return (long) BYTES.invoke(BEAN, Thread.currentThread().getId());
      } catch (ReflectiveOperationException e) {
        throw new LinkageError(e.getMessage(), e);
      }
    }
  }

  /** Whoever comes after a dead thread takes its table over; two that come at once do not share. */
  @Test
  void open_afterTheOwnerDied_inheritsItsNursery() throws Exception {
    HandleType type = type("heirs");
    for (int i = 0; i < 200; i++) {
      inThread(() -> Thing.open(type).close());
    }
    int[] nurseries = new int[1];
    NurseryList.visit(nursery -> nurseries[0] += nursery.type == type ? 1 : 0);
    assertThat(nurseries[0]).isLessThanOrEqualTo(64); // 16 places; some rotations
    assertThat(Handles.snapshot().of(type).closed()).isEqualTo(200);
  }

  @Test
  void inherit_byTwoThreads_isOnes() throws Exception {
    HandleType type = type("two heirs");
    Thread[] threads = {new Thread(() -> {}), new Thread(() -> {}), new Thread(() -> {})};
    Nursery nursery = Nursery.create(type.nurseries(), threads[0], 64);
    assertThat(nursery.inherit(threads[0], threads[1])).isTrue();
    assertThat(nursery.inherit(threads[0], threads[2])).isFalse();
    assertThat(nursery.owner).isSameAs(threads[1]);
    assertThat(nursery.wasLastOf(threads[1])).isTrue();
    nursery.owner = null; // as the reaper does
    assertThat(nursery.inherit(threads[1], threads[2])).isFalse();
    Handles.detection(Detection.FULL);
    nursery.owner = threads[1];
    assertThat(nursery.inherit(threads[1], threads[2])).isFalse();
    nursery.owner = null;
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
    assertThat(type.registry().isEmpty()).isTrue();
  }
}
