package dev.offcut.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.offcut.memory.MemoryPool;
import dev.offcut.test.ChildJvm;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndingsTest {
  private static final int FILES = 1_200;

  private final Object directory = new Object();
  private final AtomicInteger ended = new AtomicInteger();

  private int added;

  @BeforeEach
  void endThoseOfOtherTests() {
    Endings.OF_ALL.endAll();
  }

  private void add() {
    Arena arena = Arena.ofShared();
    added++;
    Endings.OF_ALL.add(
        directory,
        () -> {
          arena.close();
          ended.incrementAndGet();
          return true;
        });
  }

  /** Adds one that waits for the latch. */
  private void addWaitingFor(CountDownLatch latch) {
    added++;
    Endings.OF_ALL.add(
        directory,
        () -> {
          await(latch);
          ended.incrementAndGet();
          return true;
        });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void readers_ofAPoolDirectory_noticeNothingOfFilesThatEnd() throws Exception {
    try (MemoryPool pool = MemoryPool.named("ending").create();
        PoolDirectory files = PoolDirectory.on(pool.owner())) {
      assertThat(FilesThatEnd.run(files, FILES)).isEqualTo(FILES);
    }
  }

  @Test
  void readers_ofAMappedDirectory_noticeNothingOfFilesThatEnd(@TempDir Path path) throws Exception {
    try (MappedDirectory files = MappedDirectory.on(path)) {
      assertThat(FilesThatEnd.run(files, FILES)).isEqualTo(FILES);
    }
  }

  /** There, a read is in the JDK's methods for memory most of the time. */
  @ParameterizedTest
  @ValueSource(strings = {"pool", "mapped"})
  void readers_thatAreInterpreted_noticeNothingOfFilesThatEnd(String kind) throws Exception {
    assertThat(
            ChildJvm.with("-Xint", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED")
                .program(FilesThatEnd.class, kind, FILES)
                .run()
                .out())
        .containsExactly(String.valueOf(FILES));
  }

  @Test
  void add_aFew_isEndedByOneThreadThatThenEnds() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    addWaitingFor(latch);
    add();
    Thread thread = FilesThatEnd.endingThread().orElseThrow();
    assertThat(thread.isDaemon()).isTrue();
    assertThat(thread.getContextClassLoader()).isNull();
    assertThat(new OffcutThreads().reject(thread)).isTrue();
    assertThat(ended).hasValue(0);
    latch.countDown();
    thread.join();
    assertThat(ended).hasValue(2);
    add();
    FilesThatEnd.join();
    assertThat(ended).hasValue(3);
  }

  @Test
  void add_moreThanMayWait_endsTheOldestOnTheCallingThread() {
    List<Thread> by = Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < Endings.MOST_WAITING + 3; i++) {
      Endings.OF_ALL.add(directory, () -> by.add(Thread.currentThread()));
    }
    Thread caller = Thread.currentThread();
    assertThat(by).startsWith(caller, caller, caller);
    assertThat(Endings.OF_ALL.endAllOf(directory)).isZero();
    assertThat(by).hasSize(Endings.MOST_WAITING + 3);
  }

  /** Who closes a directory may close its pool next, which has the memory then. */
  @Test
  void endAllOf_whileAnotherThreadEndsTheOldest_waitsForIt() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Object closed = new Object();
    AtomicBoolean isEnded = new AtomicBoolean();
    Endings.OF_ALL.add(
        closed,
        () -> {
          inside.countDown();
          await(letGo);
          isEnded.set(true);
          return true;
        });
    Thread other =
        new Thread(
            () -> {
              for (int i = 0; i < Endings.MOST_WAITING; i++) {
                Endings.OF_ALL.add(directory, () -> true);
              }
            });
    other.start();
    inside.await();
    AtomicBoolean seen = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              Endings.OF_ALL.endAllOf(closed);
              seen.set(isEnded.get());
            });
    closer.start();
    while (closer.getState() != Thread.State.BLOCKED) {
      assertThat(closer.isAlive()).isTrue(); // it did not find the file
      Thread.onSpinWait();
    }
    letGo.countDown();
    closer.join();
    other.join();
    assertThat(seen).isTrue();
    assertThat(Endings.OF_ALL.endAllOf(directory)).isZero();
  }

  @Test
  void endAllOf_aDirectory_leavesThoseOfOthers() throws Exception {
    add();
    assertThat(Endings.OF_ALL.endAllOf(new Object())).isZero();
    assertThat(ended).hasValue(0);
    assertThat(Endings.OF_ALL.endAllOf(directory)).isZero();
    assertThat(ended).hasValue(1);
    FilesThatEnd.join();
    assertThat(ended).hasValue(1);
  }

  @Test
  void endAllOf_whileTheThreadEndsAFile_waitsForThat() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch latch = new CountDownLatch(1);
    Endings.OF_ALL.add(
        directory,
        () -> {
          started.countDown();
          await(latch);
          ended.incrementAndGet();
          return true;
        });
    started.await();
    AtomicInteger seen = new AtomicInteger(-1);
    Thread closer = Thread.ofPlatform().start(() -> seen.set(Endings.OF_ALL.endAllOf(directory)));
    while (closer.isAlive() && closer.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }
    assertThat(seen).hasValue(-1);
    latch.countDown();
    closer.join();
    assertThat(seen).hasValue(0);
    assertThat(ended).hasValue(1);
  }

  @Test
  void takeBack_ofAFileThatWaits_leavesItAsItIs() throws Exception {
    Endings.Ending ending = new Endings.Ending(directory, () -> ended.incrementAndGet() > 0);
    Endings.OF_ALL.add(ending);
    add();
    assertThat(Endings.OF_ALL.takeBack(ending)).isTrue();
    assertThat(Endings.OF_ALL.takeBack(ending)).isFalse();
    assertThat(Endings.OF_ALL.endAllOf(directory)).isZero();
    FilesThatEnd.join();
    assertThat(ended).hasValue(1);
  }

  @Test
  void takeBack_ofAFileThatHasEnded_isRefused() {
    Endings.Ending ending = new Endings.Ending(directory, () -> ended.incrementAndGet() > 0);
    Endings.OF_ALL.add(ending);
    Endings.OF_ALL.endAll();
    assertThat(Endings.OF_ALL.takeBack(ending)).isFalse();
    assertThat(ended).hasValue(1);
  }

  /** Files that were taken back are not counted among those that wait. */
  @Test
  void takeBack_ofMoreThanMayWait_endsNothing() {
    for (int i = 0; i < Endings.MOST_WAITING + 3; i++) {
      Endings.Ending ending = new Endings.Ending(directory, () -> ended.incrementAndGet() > 0);
      Endings.OF_ALL.add(ending);
      assertThat(Endings.OF_ALL.takeBack(ending)).isTrue();
    }
    add();
    assertThat(ended).hasValue(0);
    assertThat(Endings.OF_ALL.endAllOf(directory)).isZero();
    assertThat(ended).hasValue(1);
  }

  @Test
  void tryEnd_ofAFileInUse_isTriedAgain() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    Endings.OF_ALL.add(directory, () -> tries.incrementAndGet() == 3);
    assertThat(Endings.OF_ALL.endAllOf(directory)).isOne();
    FilesThatEnd.join();
    assertThat(tries).hasValue(3);
  }

  @Test
  void interrupt_ofTheThread_endsWhatWaitsAndTheThread() throws Exception {
    Optional<Thread> thread = Optional.empty();
    while (thread.isEmpty()) {
      add();
      thread = FilesThatEnd.endingThread();
    }
    thread.get().interrupt();
    thread.get().join();
    assertThat(ended).hasValue(added);
  }

  @Test
  void tryEnd_thatThrows_isNotTriedAgainAndLeavesTheOthers() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    Endings.OF_ALL.add(
        directory,
        () -> {
          tries.incrementAndGet();
          throw new UnsupportedOperationException("on purpose");
        });
    add();
    assertThatThrownBy(() -> Endings.OF_ALL.endAllOf(directory))
        .isInstanceOf(UnsupportedOperationException.class);
    FilesThatEnd.join();
    assertThat(tries).hasValue(1);
    assertThat(ended).hasValue(1);
  }
}
