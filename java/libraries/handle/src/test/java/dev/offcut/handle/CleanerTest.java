package dev.offcut.handle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What holds for {@code java.lang.ref.Cleaner} must hold for the drop-in: one suite, run on both.
 */
class CleanerTest extends HandleTests {
  /** What the running test keeps reachable. */
  static volatile @Nullable Object kept;

  /** The two cleaners. */
  enum Kind {
    JDK {
      @Override
      Registrar create() {
        return java.lang.ref.Cleaner.create()::register;
      }

      @Override
      Registrar create(ThreadFactory threads) {
        return java.lang.ref.Cleaner.create(threads)::register;
      }
    },
    DROP_IN {
      @Override
      Registrar create() {
        return Cleaner.create()::register;
      }

      @Override
      Registrar create(ThreadFactory threads) {
        return Cleaner.create(threads)::register;
      }
    };

    abstract Registrar create();

    abstract Registrar create(ThreadFactory threads);
  }

  interface Registrar {
    java.lang.ref.Cleaner.Cleanable register(Object obj, Runnable action);
  }

  @AfterEach
  void dropKept() {
    kept = null;
  }

  /** An action that remembers the threads that ran it. */
  private static final class Count implements Runnable {
    final List<Thread> ran = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void run() {
      ran.add(Thread.currentThread());
    }
  }

  private static void collectUntil(Count... counts) {
    for (int i = 0; i < 100; i++) {
      Handles.drain(LIMIT);
      if (Stream.of(counts).noneMatch(count -> count.ran.isEmpty())) {
        return;
      }
    }
    throw new AssertionError("not cleaned after 100 cycles");
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("NullAway") // that is the point
  void nulls_areRefused(Kind kind) {
    Registrar cleaner = kind.create();
    assertThatThrownBy(() -> kind.create(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> cleaner.register(null, new Count()))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> cleaner.register(this, null)).isInstanceOf(NullPointerException.class);
  }

  @ParameterizedTest
  @EnumSource
  void clean_twice_runsTheActionOnceInTheCaller(Kind kind) {
    Count count = new Count();
    var cleanable = kind.create().register(this, count);
    cleanable.clean();
    cleanable.clean();
    assertThat(count.ran).containsExactly(Thread.currentThread());
  }

  @ParameterizedTest
  @EnumSource
  void clean_actionThrows_reachesTheCallerAndRunsOnce(Kind kind) {
    Count count = new Count();
    var cleanable =
        kind.create()
            .register(
                this,
                () -> {
                  count.run();
                  throw new IllegalArgumentException("thrown by an action");
                });
    assertThatThrownBy(cleanable::clean)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("thrown by an action");
    cleanable.clean();
    assertThat(count.ran).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void unreachableObject_isCleanedOnceOnAnotherThread(Kind kind) {
    Registrar cleaner = kind.create();
    Count count = new Count();
    registerAndForget(cleaner, count);
    collectUntil(count);
    Handles.drain(LIMIT);
    assertThat(count.ran).hasSize(1).doesNotContain(Thread.currentThread());
  }

  private static void registerAndForget(Registrar cleaner, Runnable action) {
    cleaner.register(new Object(), action);
  }

  @ParameterizedTest
  @EnumSource
  void reachableObject_isNotCleaned(Kind kind) {
    Count alive = new Count();
    Count lost = new Count();
    Registrar cleaner = kind.create();
    registerAndKeep(cleaner, alive); // the Cleanable is dropped, the object is not
    registerAndForget(cleaner, lost);
    collectUntil(lost);
    Handles.drain(LIMIT);
    assertThat(alive.ran).isEmpty();
    kept = null;
    collectUntil(alive);
  }

  private static void registerAndKeep(Registrar cleaner, Runnable action) {
    Object object = new Object();
    cleaner.register(object, action);
    kept = object;
  }

  @ParameterizedTest
  @EnumSource
  void actionThatThrowsInTheNet_doesNotStopTheNext(Kind kind) {
    Registrar cleaner = kind.create();
    List<Count> counts = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Count count = new Count();
      counts.add(count);
      registerAndForget(
          cleaner,
          () -> {
            count.run();
            throw new NoClassDefFoundError("thrown by an action");
          });
    }
    collectUntil(counts.toArray(new Count[0]));
    assertThat(counts).allMatch(count -> count.ran.size() == 1);
  }

  // Thread factories.

  @ParameterizedTest
  @EnumSource
  void ownThread_runsTheActions(Kind kind) {
    List<Thread> made = Collections.synchronizedList(new ArrayList<>());
    Registrar cleaner = kind.create(daemons(made));
    assertThat(made).hasSize(1).allMatch(Thread::isAlive);
    Count count = new Count();
    registerAndForget(cleaner, count);
    collectUntil(count);
    assertThat(count.ran).isEqualTo(made);
  }

  private static ThreadFactory daemons(List<Thread> made) {
    return work -> {
      Thread thread = new Thread(work, "own");
      thread.setDaemon(true);
      made.add(thread);
      return thread;
    };
  }

  @ParameterizedTest
  @EnumSource
  void ownThread_endsAfterTheCleanerIsGoneAndAllIsCleaned(Kind kind) throws InterruptedException {
    List<Thread> made = new ArrayList<>();
    Count count = new Count();
    useAndForget(kind, made, count);
    assertThat(Handles.drain(LIMIT)).isTrue();
    assertThat(made.get(0).isAlive()).isTrue();
    kept = null;
    collectUntil(count);
    for (int i = 0; i < 250 && made.get(0).isAlive(); i++) {
      System.gc(); // no drain: it would keep the thread busy
      made.get(0).join(1_200);
    }
    assertThat(made).hasSize(1).noneMatch(Thread::isAlive);
  }

  private static void useAndForget(Kind kind, List<Thread> made, Runnable action) {
    registerAndKeep(kind.create(daemons(made)), action);
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("NullAway") // that is the point
  void threadFactory_thatDoesNotWork_isItsCallersToHearOf(Kind kind) {
    assertThatThrownBy(() -> kind.create(work -> null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> kind.create(work -> Thread.currentThread()))
        .isInstanceOf(IllegalThreadStateException.class);
    assertThatThrownBy(
            () ->
                kind.create(
                    work -> {
                      throw new UnsupportedOperationException("no threads today");
                    }))
        .isInstanceOf(UnsupportedOperationException.class);
    Count count = new Count();
    registerAndForget(kind.create(), count);
    collectUntil(count);
  }

  // Beyond the original.

  @Test
  void snapshot_countsRegistrationsAsTheTypeCleaner() {
    kept = NurseryList.types(); // so that none leaves the sum meanwhile
    long before = cleaners().mapToLong(HandleSnapshot.OfType::opened).sum();
    Cleaner cleaner = Cleaner.create(Thread::new);
    Count count = new Count();
    registerAndForget(cleaner::register, count);
    collectUntil(count);
    cleaner.register(this, () -> {}).clean();
    long after = cleaners().mapToLong(HandleSnapshot.OfType::opened).sum();
    assertThat(after - before).isEqualTo(2);
    assertThat(cleaners())
        .isNotEmpty()
        .allMatch(type -> type.opened() == type.closed() + type.forgotten() + type.open());
  }

  private static Stream<HandleSnapshot.OfType> cleaners() {
    return Handles.snapshot().types().stream().filter(type -> type.name().equals("cleaner"));
  }

  /** Young, between two cycles, the net must hold it as little as afterwards. */
  @ParameterizedTest
  @EnumSource
  void unreachableObject_isFoundInTheFirstCycle(Kind kind) {
    Registrar cleaner = kind.create();
    List<WeakReference<Object>> objects = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Object object = new Object();
      objects.add(new WeakReference<>(object));
      cleaner.register(object, new Count());
    }
    System.gc();
    assertThat(objects).allMatch(object -> object.refersTo(null));
    assertThat(Handles.drain(LIMIT)).isTrue(); // at rest, for the check at the end
  }
}
