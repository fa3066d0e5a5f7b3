package dev.offcut.longmap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * The map grows and shrinks under readers, writers and traversals. Guards that a bucket is MOVED
 * after it was copied, that both buckets of a pair move under both locks, and what a cursor leaves
 * out.
 */
public final class MigrationStress {
  private MigrationStress() {}

  /** Full, so that the next key makes it grow; the keys spread over the halves. */
  private static ConcurrentLongMap<Long> full() {
    ConcurrentLongMap<Long> map = Ground.oneBucket();
    for (int i = 0; i < Ground.SLOTS; i++) {
      Ground.put(map, Ground.apart(3, i));
    }
    return map;
  }

  /** Makes a full map grow twice. */
  private static void grow(ConcurrentLongMap<Long> map) {
    Ground.put(map, Ground.apart(3, 7));
    for (int i = 0; i < 8; i++) {
      Ground.put(map, Ground.apart(4, 2 * i + 1));
    }
  }

  private static int readAll(ConcurrentLongMap<Long> map, int keys) {
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < keys; i++) {
        int read = Ground.read(map, Ground.apart(3, i));
        if (read != 1) {
          return read;
        }
      }
    }
    return 1;
  }

  /** How often a traversal shows the first keys: 1, or what is wrong with one of them. */
  private static int seenOf(ConcurrentLongMap<Long> map, int keys) {
    int[] seen = new int[keys];
    int[] twice = {0};
    long[] last = new long[64];
    int[] count = {0};
    map.forEach(
        (key, value) -> {
          for (int i = 0; i < count[0]; i++) {
            twice[0] |= last[i] == key ? 1 : 0;
          }
          last[count[0]++] = key;
          for (int i = 0; i < keys; i++) {
            seen[i] += key == Ground.apart(3, i) ? 1 : 0;
          }
        });
    for (int times : seen) {
      if (times != 1) {
        return times;
      }
    }
    return 1 + twice[0];
  }

  /** A reader, while the map grows. */
  @JCStressTest
  @State
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "each key is there all the time")
  public static class GrowGet {
    final ConcurrentLongMap<Long> map = full();

    @Actor
    public void writer() {
      grow(map);
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = readAll(map, Ground.SLOTS);
    }
  }

  /** A traversal, while the map grows. */
  @JCStressTest
  @State
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "each stable key once, no other twice")
  public static class GrowTraverse {
    final ConcurrentLongMap<Long> map = full();

    @Actor
    public void writer() {
      grow(map);
    }

    @Actor
    public void traverser(I_Result r) {
      r.r1 = seenOf(map, Ground.SLOTS);
    }
  }

  /** One shrinks it, one replaces a value that is being moved. */
  @JCStressTest
  @State
  @Outcome(id = "20, 1", expect = ACCEPTABLE, desc = "no write is lost")
  public static class ShrinkPut {
    final ConcurrentLongMap<Integer> map = new ConcurrentLongMap<>(3, 0, true);

    /** An entry in each bucket. */
    public ShrinkPut() {
      for (int i = 0; i < 8; i++) {
        map.put(Ground.apart(3, i), 0);
      }
    }

    @Actor
    public void shrinker() {
      for (int i = 1; i < 8; i++) {
        map.remove(Ground.apart(3, i));
      }
    }

    @Actor
    public void writer() {
      for (int i = 0; i < 20; i++) {
        map.merge(Ground.apart(3, 0), 1, Integer::sum);
      }
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = map.getOrDefault(Ground.apart(3, 0), -1);
      r.r2 = (int) map.size();
    }
  }
}
