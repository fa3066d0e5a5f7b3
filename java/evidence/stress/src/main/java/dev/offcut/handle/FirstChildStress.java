package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A handle gets its first child, and with it a place that knows its family, while a promoter is at
 * it. Guards {@code Handle.link} in {@code trackAsParent}: whichever of slot and plain tracker the
 * link names, its place moves on by one compare-and-set and the place before is emptied. If the
 * promoter's tracker stayed, the net would release the parent before its child.
 *
 * <p>Results: the parent's place is a {@code Tracker.OfParent} (1); places left in registry and
 * record after the closes; releases of child (times ten) and parent after the closes.
 */
public final class FirstChildStress {
  private static final HandleType TWINS = parents("first-child-two");
  private static final HandleType OF_TWINS = childrenOf(TWINS);

  private FirstChildStress() {}

  private static HandleType parents(String name) {
    return HandleType.named(name)
        .releaser(Book::releaseParent)
        .closeWithChildren(CloseWithChildren.REFUSE)
        .create();
  }

  private static HandleType childrenOf(HandleType parents) {
    return HandleType.named("child-of-" + parents)
        .releaser(Book::release)
        .childOf(parents)
        .create();
  }

  private static int isOfParent(Handle parent) {
    return Stage.place(parent) instanceof Tracker.OfParent ? 1 : 0;
  }

  /** Against the promotion to a tracker. Each state has its own type, whose places are counted. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0, 11", expect = ACCEPTABLE, desc = "a parent's tracker, and only that")
  public static class Promote {
    final long family = Book.fresh();
    final HandleType own = parents("first-child");
    final HandleType children = childrenOf(own);
    final Nursery nursery = Stage.nursery(own, 2);
    final Subject.Guarded parent = Stage.open(new Subject.Guarded(own, family), nursery);
    @Nullable Subject child;

    @Actor
    public void opener() {
      child = Stage.child(children, parent, family + 1);
    }

    @Actor
    public void promoter() {
      Stage.jitter(family);
      Promotion.of(nursery);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r1 = isOfParent(parent);
      if (child != null) {
        child.close();
      }
      parent.close();
      r.r2 = (int) own.registry.open() + 10 * Stage.left(nursery);
      r.r3 = 10 * Book.releases(family + 1) + Book.releases(family);
      own.registry.trim();
    }
  }

  /** Two first children: one family counts both. */
  @JCStressTest
  @State
  @Outcome(id = "1, 2, 21", expect = ACCEPTABLE, desc = "one family of two")
  public static class TwoFirst {
    final long family = Book.fresh();
    final Subject.Guarded parent = Stage.open(new Subject.Guarded(TWINS, family));
    @Nullable Subject one;
    @Nullable Subject other;

    @Actor
    public void one() {
      one = Stage.child(OF_TWINS, parent, family + 1);
    }

    @Actor
    public void other() {
      other = Stage.child(OF_TWINS, parent, family + 2);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r1 = isOfParent(parent);
      r.r2 = Stage.family(Stage.tracker(parent)).open();
      int refused = Stage.close(parent);
      if (one != null && other != null && refused == Stage.REFUSED) {
        one.close();
        other.close();
      }
      parent.close();
      int children = Book.releases(family + 1) + Book.releases(family + 2);
      r.r3 = 10 * children + Book.releases(family);
    }
  }
}
