package dev.offcut.longmap;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * What was written before a put is seen after a get. Guards the release stores of values and
 * headers: a fence that is missing shows on AArch64, and on x86 where the compiler reorders.
 *
 * <p>Result: the plain field of the value that was got, or -1 for none.
 */
public final class PublicationStress {
  private PublicationStress() {}

  /** A value with a plain field. */
  private static final class Box {
    int content;

    Box(int content) {
      this.content = content;
    }

    static Box filled() {
      Box box = new Box(0);
      box.content = 7;
      return box;
    }
  }

  private static int content(Box box) {
    return box == null ? -1 : box.content;
  }

  /** Into a free slot. */
  @JCStressTest
  @State
  @Outcome(id = "-1", expect = ACCEPTABLE, desc = "too early")
  @Outcome(id = "7", expect = ACCEPTABLE, desc = "the whole value")
  public static class NewKey {
    final ConcurrentLongMap<Box> map = Ground.oneBucket();

    @Actor
    public void writer() {
      map.put(0, Box.filled());
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = content(map.get(0));
    }
  }

  /** In place of another value. */
  @JCStressTest
  @State
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "the value before")
  @Outcome(id = "7", expect = ACCEPTABLE, desc = "the whole value")
  public static class Replaced {
    final ConcurrentLongMap<Box> map = Ground.oneBucket();

    /** With a value. */
    public Replaced() {
      map.put(0, new Box(1));
    }

    @Actor
    public void writer() {
      map.put(0, Box.filled());
    }

    @Actor
    public void reader(I_Result r) {
      r.r1 = content(map.get(0));
    }
  }
}
