package dev.offcut.longmap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.test.ChildJvm;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recursions to the end of the stack, through a map that others go on to use. */
class FullStackTest {
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"})
  void operations_atTheEndOfTheStack_leaveTheMapWhole(String compiler) throws Exception {
    String said =
        ChildJvm.with(compiler, "-XX:+UseSerialGC", "-Xmx64m").program(Program.class).run().text();
    assertThat(said).contains("whole");
    System.out.println("FullStackTest " + compiler + ": " + said.strip());
  }

  /** Overflows stacks at depths that differ by less than a frame of what is called there. */
  static final class Program {
    private static final int ROUNDS = 120;
    private static final int KEYS = 1024;

    private final ConcurrentLongMap<Long> map;
    private final Long[] values = new Long[KEYS];
    private final boolean grows;
    private long turn;

    public static void main(String[] args) throws InterruptedException {
      int abandoned = 0;
      for (Program program :
          List.of(
              new Program(new ConcurrentLongMap<>(), false),
              new Program(new ConcurrentLongMap<>(0, 0, true), true))) {
        for (int round = 0; round < ROUNDS; round++) {
          program.overflow(round);
          abandoned += Inside.locked(program.map);
          if (round % 60 == 0) {
            program.check();
          }
        }
        program.check();
      }
      System.out.println("whole, " + abandoned + " buckets were left locked");
    }

    /**
     * Of few keys in a map that stays as it is, or of many, colliding ones too, in one that grows.
     */
    private Program(ConcurrentLongMap<Long> map, boolean grows) {
      this.map = map;
      this.grows = grows;
      for (int i = 0; i < KEYS; i++) {
        values[i] = grows && i % 4 == 0 ? Keys.colliding(i) : 48L * i;
      }
    }

    private void overflow(int round) throws InterruptedException {
      Thread thread =
          new Thread(
              null,
              () -> {
                try {
                  shift(round % 60);
                } catch (StackOverflowError e) {
                  // what it is here for
                }
              },
              "recursion",
              200_000);
      thread.setDaemon(true);
      thread.start();
      thread.join(20_000);
      if (thread.isAlive()) {
        throw new AssertionError("round " + round + " hangs at " + trace(thread));
      }
    }

    private static String trace(Thread thread) {
      return List.of(thread.getStackTrace()).subList(0, 8).toString();
    }

    private void shift(int frames) {
      if (frames > 0) {
        shift(frames - 1);
      } else {
        recurse();
      }
    }

    @SuppressWarnings("InfiniteRecursion") // what it is here for
    private void recurse() {
      Long put = values[(int) (turn++ & (grows ? KEYS - 1 : 15))];
      map.put(put, put);
      Long removed = values[(int) ((turn * 7) & (grows ? KEYS - 1 : 15))];
      map.remove(removed);
      recurse();
    }

    /** Every key can be read, put and removed, and none has another one's value. */
    private void check() throws InterruptedException {
      Thread checker = new Thread(this::checkAll, "checker");
      checker.setDaemon(true);
      Throwable[] failure = {null};
      checker.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
      checker.start();
      checker.join(20_000);
      if (checker.isAlive() || failure[0] != null) {
        throw new AssertionError("hangs at " + trace(checker), failure[0]);
      }
    }

    private void checkAll() {
      for (Long key : values) {
        Long value = map.get(key);
        if (value != null && !value.equals(key)) {
          throw new AssertionError(key + "=" + value);
        }
      }
      long[] keys = map.keys();
      if (Inside.verify(map) != keys.length) {
        throw new AssertionError(keys.length + " keys");
      }
      for (long key : keys) {
        if (map.remove(key) == null) {
          throw new AssertionError("lost " + key);
        }
      }
      for (int i = 0; i < 2; i++) { // moved on by writers, until a resize is at its end
        for (Long key : values) {
          map.put(key, key);
        }
        for (Long key : values) {
          if (!key.equals(map.remove(key))) {
            throw new AssertionError("lost " + key);
          }
        }
      }
      if (Inside.verify(map) != 0) {
        throw new AssertionError("not empty");
      }
    }
  }
}
