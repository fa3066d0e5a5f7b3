package dev.offcut.longmap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two writers of one key, which is 0. Guards that a write is one step: what each is told about the
 * value before, and what is there at the end, fit one order.
 *
 * <p>Results: what each was told, and the value at the end; -1 for none.
 */
public final class OneKeyStress {
  private OneKeyStress() {}

  private static int number(Integer value) {
    return value == null ? -1 : value;
  }

  /** Put against remove where there is nothing. */
  @JCStressTest
  @State
  @Outcome(id = "-1, -1, 1", expect = ACCEPTABLE, desc = "remove, put")
  @Outcome(id = "-1, 1, -1", expect = ACCEPTABLE, desc = "put, remove")
  public static class PutRemove {
    final ConcurrentLongMap<Integer> map = Ground.oneBucket();

    @Actor
    public void putter(III_Result r) {
      r.r1 = number(map.put(0, 1));
    }

    @Actor
    public void remover(III_Result r) {
      r.r2 = number(map.remove(0));
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = number(map.get(0));
    }
  }

  /** Put against remove where there is a value. */
  @JCStressTest
  @State
  @Outcome(id = "-1, 0, 1", expect = ACCEPTABLE, desc = "remove, put")
  @Outcome(id = "0, 1, -1", expect = ACCEPTABLE, desc = "put, remove")
  public static class PutRemovePresent {
    final ConcurrentLongMap<Integer> map = Ground.oneBucket();

    /** With the key. */
    public PutRemovePresent() {
      map.put(0, 0);
    }

    @Actor
    public void putter(III_Result r) {
      r.r1 = number(map.put(0, 1));
    }

    @Actor
    public void remover(III_Result r) {
      r.r2 = number(map.remove(0));
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = number(map.get(0));
    }
  }

  /** Put against remove in an overflow, while the map begins to grow. */
  @JCStressTest
  @State
  @Outcome(id = "-1, -1, 1", expect = ACCEPTABLE, desc = "remove, put")
  @Outcome(id = "-1, 1, -1", expect = ACCEPTABLE, desc = "put, remove")
  public static class PutRemoveOverflowing {
    final ConcurrentLongMap<Integer> map = Ground.oneBucket();

    /** Seven other keys. */
    public PutRemoveOverflowing() {
      for (int i = 1; i <= Ground.SLOTS; i++) {
        map.put(Ground.apart(3, i), 0);
      }
    }

    @Actor
    public void putter(III_Result r) {
      r.r1 = number(map.put(0, 1));
      map.put(Ground.apart(4, 1), 1); // moves what begun to grow
    }

    @Actor
    public void remover(III_Result r) {
      r.r2 = number(map.remove(0));
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = number(map.get(0));
    }
  }

  /** Two that both put if absent. */
  @JCStressTest
  @State
  @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the first won")
  @Outcome(id = "2, -1, 2", expect = ACCEPTABLE, desc = "the second won")
  public static class PutIfAbsent {
    final ConcurrentLongMap<Integer> map = Ground.oneBucket();

    @Actor
    public void one(III_Result r) {
      r.r1 = number(map.putIfAbsent(0, 1));
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = number(map.putIfAbsent(0, 2));
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = number(map.get(0));
    }
  }

  /** Two that both compute if absent: both get the same. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the first won")
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "the second won")
  public static class ComputeIfAbsent {
    final ConcurrentLongMap<Integer> map = Ground.oneBucket();

    @Actor
    public void one(III_Result r) {
      r.r1 = number(map.computeIfAbsent(0, key -> 1));
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = number(map.computeIfAbsent(0, key -> 2));
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = number(map.get(0));
    }
  }

  /** Two that remove one value. */
  @JCStressTest
  @State
  @Outcome(id = "7, -1, -1", expect = ACCEPTABLE, desc = "the first had it")
  @Outcome(id = "-1, 7, -1", expect = ACCEPTABLE, desc = "the second had it")
  public static class RemoveRemove {
    final ConcurrentLongMap<Integer> map = new ConcurrentLongMap<>(2, 0, true);

    /** With the key. */
    public RemoveRemove() {
      map.put(0, 7);
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = number(map.remove(0));
    }

    @Actor
    public void other(III_Result r) {
      r.r2 = number(map.remove(0));
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = number(map.get(0));
    }
  }

  /** Additions. */
  @JCStressTest
  @State
  @Outcome(id = "3, [0123]", expect = ACCEPTABLE, desc = "none is lost")
  public static class MergeMerge {
    final ConcurrentLongMap<Integer> map = Ground.oneBucket();

    /** With the key. */
    public MergeMerge() {
      map.put(0, 0);
    }

    @Actor
    public void one() {
      map.merge(0, 1, Integer::sum);
    }

    @Actor
    public void other() {
      map.merge(0, 2, Integer::sum);
    }

    @Actor
    public void reader(II_Result r) {
      r.r2 = map.getOrDefault(0, 0);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = number(map.get(0));
    }
  }
}
