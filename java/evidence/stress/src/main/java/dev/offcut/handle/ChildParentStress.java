package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * The only child closes against its parent. Guards {@code GuardedHandle.state}: the last child
 * takes PARENT out by an atomic and, the closer puts CLOSING in by a compare-and-set; whoever makes
 * it CLOSING alone releases the parent. {@code Family}'s monitor orders the children among
 * themselves.
 *
 * <p>Results: the parent's close was refused (0) or not (1); releases of the child; releases of the
 * parent; the same after one more close of the parent. A parent released before its open child
 * counts {@link Book#EARLY} more.
 */
public final class ChildParentStress {
  private ChildParentStress() {}

  /** Parents and children of one policy. */
  private static final class Kin {
    final HandleType parents;
    final HandleType children;

    Kin(CloseWithChildren policy) {
      parents =
          HandleType.named("child-parent-" + policy)
              .releaser(Book::releaseParent)
              .closeWithChildren(policy)
              .create();
      children =
          HandleType.named("child-" + policy).releaser(Book::release).childOf(parents).create();
    }
  }

  private static final Kin THROWING = new Kin(CloseWithChildren.REFUSE);
  private static final Kin DEFERRING = new Kin(CloseWithChildren.DEFER);
  private static final Kin CASCADING = new Kin(CloseWithChildren.CASCADE);

  /** The end of each test. */
  private static void end(GuardedSubject parent, Subject child, IIII_Result r) {
    r.r2 = Book.releases(child.value());
    r.r3 = Book.releases(parent.value());
    parent.close();
    r.r4 = Book.releases(parent.value());
  }

  /** A parent with an open child stays open. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "child first")
  @Outcome(id = "0, 1, 0, 1", expect = ACCEPTABLE, desc = "refused")
  public static class Throwing {
    final long family = Book.fresh();
    final GuardedSubject parent = Stage.open(new GuardedSubject(THROWING.parents, family));
    final Subject child = Stage.child(THROWING.children, parent, family + 1);

    @Actor
    public void child() {
      child.close();
    }

    @Actor
    public void parent(IIII_Result r) {
      r.r1 = Stage.close(parent);
    }

    @Arbiter
    public void end(IIII_Result r) {
      ChildParentStress.end(parent, child, r);
    }
  }

  /** The last one out releases the parent. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "both released once, the child first")
  public static class Deferring {
    final long family = Book.fresh();
    final GuardedSubject parent = Stage.open(new GuardedSubject(DEFERRING.parents, family));
    final Subject child = Stage.child(DEFERRING.children, parent, family + 1);

    @Actor
    public void child() {
      child.close();
    }

    @Actor
    public void parent(IIII_Result r) {
      r.r1 = Stage.close(parent);
    }

    @Arbiter
    public void end(IIII_Result r) {
      ChildParentStress.end(parent, child, r);
    }
  }

  /** Both close the child; the loser's parent waits for the winner's releaser. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "both released once, the child first")
  public static class Cascading {
    final long family = Book.fresh();
    final GuardedSubject parent = Stage.open(new GuardedSubject(CASCADING.parents, family));
    final Subject child = Stage.child(CASCADING.children, parent, family + 1);

    @Actor
    public void child() {
      child.close();
    }

    @Actor
    public void parent(IIII_Result r) {
      r.r1 = Stage.close(parent);
    }

    @Arbiter
    public void end(IIII_Result r) {
      ChildParentStress.end(parent, child, r);
    }
  }

  /** A cascade against the closes of two children: the list of {@code Family} loses none. */
  @JCStressTest
  @State
  @Outcome(id = "1, 2, 1, 1", expect = ACCEPTABLE, desc = "all released once, the children first")
  public static class CascadingToTwo {
    final long family = Book.fresh();
    final GuardedSubject parent = Stage.open(new GuardedSubject(CASCADING.parents, family));
    final Subject older = Stage.child(CASCADING.children, parent, family + 1);
    final Subject younger = Stage.child(CASCADING.children, parent, family + 2);

    @Actor
    public void children() {
      older.close();
      younger.close();
    }

    @Actor
    public void parent(IIII_Result r) {
      r.r1 = Stage.close(parent);
    }

    @Arbiter
    public void end(IIII_Result r) {
      ChildParentStress.end(parent, older, r);
      r.r2 = r.r2 == 1 && Book.releases(younger.value()) == 1 ? 2 : -1;
    }
  }
}
