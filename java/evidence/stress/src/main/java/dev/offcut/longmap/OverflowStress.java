package dev.offcut.longmap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Entries of an overflow move up when others leave it, and into a larger one when it is full: a
 * stable one is there all the time. Guards the second look at the header.
 */
public final class OverflowStress {
  private static final int STABLE = Ground.SLOTS + 4;

  private OverflowStress() {}

  private static int readStable(ConcurrentLongMap<Long> map) {
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < STABLE; i++) {
        int read = Ground.read(map, Ground.same(i));
        if (read != 1) {
          return read;
        }
      }
    }
    return 1;
  }

  /** Slots full of stable keys, and an overflow where others came before the stable ones. */
  private static ConcurrentLongMap<Long> crowded() {
    ConcurrentLongMap<Long> map = Ground.oneBucket(Ground.SLOTS);
    for (int key = STABLE + 3; key >= Ground.SLOTS; key--) {
      Ground.put(map, Ground.same(key));
    }
    return map;
  }

  /** The others leave, so that stable keys move up, and come again. */
  private static void goAndCome(ConcurrentLongMap<Long> map) {
    for (int i = 0; i < 4; i++) {
      for (int other = STABLE; other < STABLE + 4; other++) {
        map.remove(Ground.same(other));
      }
      for (int other = STABLE; other < STABLE + 4; other++) {
        Ground.put(map, Ground.same(other));
      }
    }
  }

  /** Others come and go. */
  @JCStressTest
  @State
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "each key is there all the time")
  public static class RemoveGet {
    final ConcurrentLongMap<Long> map = crowded();

    @Actor
    public void writer() {
      goAndCome(map);
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = readStable(map);
    }
  }

  /** A traversal, while others come and go. */
  @JCStressTest
  @State
  @Outcome(id = "11", expect = ACCEPTABLE, desc = "each stable key once")
  public static class Traverse {
    final ConcurrentLongMap<Long> map = crowded();

    @Actor
    public void writer() {
      goAndCome(map);
      goAndCome(map);
    }

    @Actor
    public void traverser(I_Result r) {
      int[] seen = {0, 0};
      map.forEach(
          (key, value) -> {
            boolean stable = false;
            for (int i = 0; i < STABLE; i++) {
              stable |= key == Ground.same(i);
            }
            seen[0] += stable ? 1 : 0;
            seen[1] += value == key ? 0 : 1;
          });
      r.r1 = seen[1] == 0 ? seen[0] : -1;
    }
  }
}
