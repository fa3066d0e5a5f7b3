package dev.offcut.longmap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Keys take each other's place, and have the same tag: a get never returns another key's value.
 * Guards the second look at the header, and that every write gives it another version.
 *
 * <p>Results: as {@link Ground#read}.
 */
public final class TornPairStress {
  private static final long FIRST = Ground.same(0);
  private static final long SECOND = Ground.same(1);

  private TornPairStress() {}

  private static void swap(ConcurrentLongMap<Long> map, int times) {
    for (int i = 0; i < times; i++) {
      map.remove(FIRST);
      Ground.put(map, SECOND);
      map.remove(SECOND);
      Ground.put(map, FIRST);
    }
  }

  /** One slot, two keys. */
  @JCStressTest
  @State
  @Outcome(id = "[01], [01]", expect = ACCEPTABLE, desc = "each its own value or none")
  public static class Slot {
    final ConcurrentLongMap<Long> map = Ground.oneBucket(1);

    @Actor
    public void writer() {
      swap(map, 10);
    }

    @Actor
    public void reader(II_Result r) {
      for (int i = 0; i < 10 && r.r1 >= 0 && r.r2 >= 0; i++) {
        r.r1 = Ground.read(map, FIRST);
        r.r2 = Ground.read(map, SECOND);
      }
    }
  }
}
