package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The last two children against the end of their parent: it is released once, after both. Guards
 * {@code Family.open}, {@code closing} and {@code orphaned}, which one monitor keeps together: one
 * child counts down to zero, and what it finds there says who releases the parent.
 *
 * <p>Results: releases of the two children, added up; releases of the parent, or more by {@link
 * Book#EARLY}.
 */
public final class LastChildStress {
  private static final HandleType PARENTS =
      HandleType.named("last-child-parent")
          .releaser(Book::releaseParent)
          .closeWithChildren(CloseWithChildren.DEFER)
          .create();
  private static final HandleType CHILDREN =
      HandleType.named("last-child").releaser(Book::release).childOf(PARENTS).create();

  private LastChildStress() {}

  /** A parent and two children, all open. */
  @State
  public static class Three {
    final long family = Book.fresh();
    final Subject.Guarded parent = Stage.open(new Subject.Guarded(PARENTS, family));
    final Subject older = Stage.child(CHILDREN, parent, family + 1);
    final Subject younger = Stage.child(CHILDREN, parent, family + 2);

    final void end(II_Result r) {
      int one = Book.releases(older.value());
      int other = Book.releases(younger.value());
      r.r1 = one == 1 && other == 1 ? 2 : -1;
      r.r2 = Book.releases(family);
    }
  }

  /** All three at once. */
  @JCStressTest
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "all released once, the parent last")
  public static class AllThree {
    @Actor
    public void older(Three three) {
      three.older.close();
    }

    @Actor
    public void younger(Three three) {
      three.younger.close();
    }

    @Actor
    public void parent(Three three) {
      three.parent.close();
    }

    @Arbiter
    public void end(Three three, II_Result r) {
      three.end(r);
    }
  }

  /**
   * The parent was forgotten: the net visits its tracker while the children go. It releases, or, if
   * it finds a child ({@code Family.orphan}), the last child does.
   */
  @JCStressTest
  @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "all released once, the parent last")
  public static class ForgottenParent {
    @Actor
    public void children(Orphans orphans) {
      orphans.older.close();
      orphans.younger.close();
    }

    @Actor
    public void net(Orphans orphans) {
      Stage.release(orphans.tracker);
    }

    @Arbiter
    public void end(Orphans orphans, II_Result r) {
      orphans.end(r);
    }
  }

  /** As the collector leaves a family whose parent it found unreachable. */
  @State
  public static class Orphans extends Three {
    final Tracker tracker = Stage.tracker(parent);

    {
      Stage.forgetParent(Stage.family(tracker));
    }
  }
}
