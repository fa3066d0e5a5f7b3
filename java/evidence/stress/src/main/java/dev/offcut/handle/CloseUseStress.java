package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A use against a close. Guards {@code GuardedHandle.state}: a use is counted in by a
 * compare-and-set that fails once CLOSING is set, and counted out by one that says, to one thread
 * only, that CLOSING stands alone. So no value is released while it is used, and none is forgotten
 * because closer and user each left it to the other.
 *
 * <p>Results: the use was refused (0), saw the value open all the while (1), or saw it released
 * (2); the close was refused (0) or not (1); how often the value was released.
 */
public final class CloseUseStress {
  private static final int SEEN_OPEN = 1;
  private static final int SEEN_RELEASED = 2;

  private static final Duration WAIT_LIMIT = Duration.ofSeconds(20);

  private static final HandleType REFUSING = type("use-refuse", CloseInUse.REFUSE);
  private static final HandleType DEFERRING = type("use-defer", CloseInUse.DEFER);
  private static final HandleType WAITING =
      HandleType.named("use-wait")
          .releaser(CloseUseStress::releaseSlowly)
          .closeInUse(CloseInUse.WAIT)
          .waitLimit(WAIT_LIMIT)
          .create();
  private static final HandleType WAITING_PARENTS =
      HandleType.named("use-wait-parent")
          .releaser(Book::releaseParent)
          .closeInUse(CloseInUse.WAIT)
          .waitLimit(WAIT_LIMIT)
          .closeWithChildren(CloseWithChildren.DEFER)
          .create();
  private static final HandleType WAITING_CHILDREN =
      HandleType.named("use-wait-child").releaser(Book::release).childOf(WAITING_PARENTS).create();

  private CloseUseStress() {}

  private static HandleType type(String name, CloseInUse policy) {
    return HandleType.named(name).releaser(Book::release).closeInUse(policy).create();
  }

  /** Long enough for a closer that does not wait for it to be seen. */
  private static void releaseSlowly(long value) {
    for (int i = 0; i < 50; i++) {
      Thread.onSpinWait();
    }
    Book.release(value);
  }

  private static int use(Subject.Guarded handle) {
    try {
      return (int) handle.withLong(CloseUseStress::look);
    } catch (ClosedHandleException e) {
      return Stage.REFUSED;
    }
  }

  private static long look(long value) {
    for (int i = 0; i < 64; i++) {
      if (Book.releases(value) != 0) {
        return SEEN_RELEASED;
      }
    }
    return SEEN_OPEN;
  }

  /** The last one out releases. */
  @JCStressTest
  @State
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "closed first")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "used first, or the user released")
  public static class Deferring {
    final Subject.Guarded handle = Stage.open(new Subject.Guarded(DEFERRING, Book.fresh()));

    @Actor
    public void user(III_Result r) {
      r.r1 = use(handle);
    }

    @Actor
    public void closer(III_Result r) {
      Stage.jitter(handle.value());
      r.r2 = Stage.close(handle);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = Book.releases(handle.value());
    }
  }

  /** The close waits for the user; what it counts (r3) is what it sees when it returns. */
  @JCStressTest
  @State
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "closed first")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "used first, or waited for")
  public static class Waiting {
    final Subject.Guarded handle = Stage.open(new Subject.Guarded(WAITING, Book.fresh()));

    @Actor
    public void user(III_Result r) {
      r.r1 = use(handle);
    }

    @Actor
    public void closer(III_Result r) {
      Stage.jitter(handle.value());
      r.r2 = Stage.close(handle);
      r.r3 = Book.releases(handle.value());
    }

    @Arbiter
    public void end(III_Result r) {
      int releases = Book.releases(handle.value());
      if (releases != 1) {
        r.r3 = -releases;
      }
    }
  }

  /**
   * The close waits for the user and leaves the release to the last child, or finds that the child
   * went meanwhile. Releases of the parent are counted when all have returned.
   */
  @JCStressTest
  @State
  @Outcome(id = "[01], 1, 1", expect = ACCEPTABLE, desc = "released once, after its child")
  public static class WaitingWithChild {
    final long family = Book.fresh();
    final Subject.Guarded parent = Stage.open(new Subject.Guarded(WAITING_PARENTS, family));
    final Subject child = Stage.child(WAITING_CHILDREN, parent, family + 1);

    @Actor
    public void userThenChild(III_Result r) {
      r.r1 = use(parent);
      child.close();
    }

    @Actor
    public void closer(III_Result r) {
      Stage.jitter(family);
      r.r2 = Stage.close(parent);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r3 = Book.releases(family);
    }
  }

  /**
   * A release without a use, beside a close. It is refused, and a closer never takes it for a close
   * of another: a count that went below 0 and back again would look like one.
   *
   * <p>Results: the close was refused (0) or not (1); releases.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "closed")
  public static class StrayRelease {
    final Subject.Guarded handle = Stage.open(new Subject.Guarded(REFUSING, Book.fresh()));

    @Actor
    public void stray() {
      for (int i = 0; i < 8; i++) {
        try {
          handle.endUse();
        } catch (IllegalStateException e) {
          continue; // refused
        }
        throw new AssertionError("a release without a use was not refused");
      }
    }

    @Actor
    public void closer(II_Result r) {
      Stage.jitter(handle.value());
      r.r1 = Stage.close(handle);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r2 = Book.releases(handle.value());
    }
  }
}
