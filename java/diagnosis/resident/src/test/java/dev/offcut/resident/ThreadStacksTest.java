package dev.offcut.resident;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadStacksTest {
  private static final Path SELF = Path.of("/proc/self");
  private static final long USUAL = 512 << 10;
  private static final long OTHER = 3 << 20;

  private final CountDownLatch end = new CountDownLatch(1);

  private void start(int threads, long stack) throws InterruptedException {
    start(threads, stack, "");
  }

  /** {@code names}: the threads have these in turn. */
  private void start(int threads, long stack, String... names) throws InterruptedException {
    CountDownLatch running = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(null, () -> await(running), "held-" + names[i % names.length] + i, stack);
      thread.setDaemon(true);
      thread.start();
    }
    running.await();
  }

  private void await(CountDownLatch running) {
    running.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the system has ended them too: until then stacks of theirs are given back. */
  @AfterEach
  void endThreads() throws Exception {
    end.countDown();
    while (areHeld()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static boolean areHeld() throws IOException {
    try (Stream<Path> tasks = Files.list(SELF.resolve("task"))) {
      return tasks.anyMatch(ThreadStacksTest::isHeld);
    }
  }

  private static boolean isHeld(Path task) {
    try {
      return Files.readString(task.resolve("comm")).startsWith("held-");
    } catch (IOException e) {
      return false; // it has ended
    }
  }

  private static long stacks(Claims claims) throws IOException {
    List<Mapping> mappings = Mapping.of(SELF);
    try (ProcessMemory memory = new ProcessMemory(SELF)) {
      ThreadStacks stacks = new ThreadStacks(SELF, mappings);
      stacks.claimSure(memory, claims);
      ThreadStacks.Threads threads = stacks.claim(claims);
      assertThat(threads.arePointersKnown()).isTrue();
      assertThat(threads.names()).extracting(Account.Group::name).contains("held");
    }
    return mappings.stream().filter(mapping -> isStack(mapping, claims)).count();
  }

  private static boolean isStack(Mapping mapping, Claims claims) {
    Claims.Claim claim = claims.atOrAfter(mapping.start());
    return claim != null && claim.part() == Part.STACKS && claim.start() <= mapping.start();
  }

  @Test
  void claim_ofManyThreadsOfTwoSizes_findsAllStacks() throws Exception {
    start(600, USUAL);
    start(60, OTHER);

    assertThat(stacks(new Claims())).isGreaterThanOrEqualTo(660);
  }

  @Test
  void names_thatRepeat_areNotOfEachNth() throws Exception {
    start(720, USUAL, "a", "b", "c");
    assertThat(new ThreadStacks(SELF, Mapping.of(SELF)).claim(new Claims()).names())
        .filteredOn(name -> name.name().startsWith("held-"))
        .hasSize(3)
        .allSatisfy(name -> assertThat(name.count()).isBetween(120, 360));
  }

  @Test
  void claimSure_leavesWhatSomebodyElseHas() throws Exception {
    start(300, USUAL);
    Claims claims = new Claims();
    for (Mapping mapping : Mapping.of(SELF)) {
      claims.add(mapping, Part.CODE_CACHE, "");
    }
    try (ProcessMemory memory = new ProcessMemory(SELF)) {
      new ThreadStacks(SELF, Mapping.of(SELF)).claimSure(memory, claims);
    }
    assertThat(Mapping.of(SELF)).filteredOn(mapping -> isStack(mapping, claims)).hasSizeLessThan(9);
  }

  @ParameterizedTest
  @CsvSource({
    "pool-1-thread-12, pool-#-thread",
    "pool-12-thread-, pool-#-thread",
    "C2 CompilerThre, C# CompilerThre",
    "GC Thread#0, GC Thread",
    "main, main",
    "42, 42"
  })
  void family_isTheNameWithoutItsNumber(String name, String family) {
    assertThat(ThreadStacks.family(name)).isEqualTo(family);
  }
}
