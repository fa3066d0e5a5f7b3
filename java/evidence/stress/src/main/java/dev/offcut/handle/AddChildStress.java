package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * A child is opened against its parent's close: it is refused, or the parent waits for it. Guards
 * the step in {@code Family.add} (PARENT is set by a compare-and-set that fails once CLOSING is; a
 * further child is counted under the monitor after a look at CLOSING) and {@code
 * GuardedHandle.beginFamily}, by which the parent becomes tenured while it is being closed.
 *
 * <p>Results: the child was refused (0) or opened (1); the parent's close likewise; releases of the
 * parent while the child, if any, is open; releases of child (times ten) and parent after both were
 * closed.
 */
public final class AddChildStress {
  private static final HandleType THROWING = parents(CloseWithChildren.REFUSE);
  private static final HandleType DEFERRING = parents(CloseWithChildren.DEFER);
  private static final HandleType CASCADING = parents(CloseWithChildren.CASCADE);
  private static final HandleType OF_THROWING = childrenOf(THROWING);
  private static final HandleType OF_DEFERRING = childrenOf(DEFERRING);
  private static final HandleType OF_CASCADING = childrenOf(CASCADING);

  private AddChildStress() {}

  private static HandleType parents(CloseWithChildren policy) {
    return HandleType.named("add-child-" + policy)
        .releaser(Book::releaseParent)
        .closeWithChildren(policy)
        .create();
  }

  private static HandleType childrenOf(HandleType parents) {
    return HandleType.named("child-of-" + parents)
        .releaser(Book::release)
        .childOf(parents)
        .create();
  }

  /** A parent, and a child that one actor opens. */
  @State
  public static class Parent {
    final HandleType children;
    final long family = Book.fresh();
    final GuardedSubject parent;
    @Nullable Subject child;

    Parent(HandleType parents, HandleType children) {
      this.children = children;
      this.parent = Stage.open(new GuardedSubject(parents, family));
    }

    final int openChild() {
      try {
        child = Stage.child(children, parent, family + 1);
        return Stage.DONE;
      } catch (ClosedHandleException e) {
        return Stage.REFUSED;
      }
    }

    final void end(IIII_Result r) {
      r.r3 = Book.releases(family);
      if (child != null) {
        child.close();
      }
      parent.close();
      r.r4 = 10 * Book.releases(family + 1) + Book.releases(family);
    }
  }

  /** Refuses to close with children. */
  @State
  public static class ThrowingParent extends Parent {
    /** Its child would be the first. */
    public ThrowingParent() {
      super(THROWING, OF_THROWING);
    }
  }

  /** Waits for its children. */
  @State
  public static class DeferringParent extends Parent {
    /** Its child would be the first. */
    public DeferringParent() {
      super(DEFERRING, OF_DEFERRING);
    }
  }

  /** Has had a child before, so there is a family, with PARENT not set. */
  @State
  public static class FormerParent extends Parent {
    /** Its child would be the only one, and not the first. */
    public FormerParent() {
      super(DEFERRING, OF_DEFERRING);
      Stage.child(OF_DEFERRING, parent, family + 2).close();
    }
  }

  /** Has an open child already. */
  @State
  public static class ParentOfOne extends Parent {
    final Subject sibling;

    /** Its child would be the second. */
    public ParentOfOne() {
      super(DEFERRING, OF_DEFERRING);
      sibling = Stage.child(OF_DEFERRING, parent, family + 2);
    }
  }

  /** Closes its children. */
  @State
  public static class CascadingParent extends Parent {
    /** Its child would be the first. */
    public CascadingParent() {
      super(CASCADING, OF_CASCADING);
    }
  }

  /** THROW: one of the two is refused. */
  @JCStressTest
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "closed first")
  @Outcome(id = "1, 0, 0, 11", expect = ACCEPTABLE, desc = "the child first")
  public static class Throwing {
    @Actor
    public void opener(ThrowingParent state, IIII_Result r) {
      r.r1 = state.openChild();
    }

    @Actor
    public void closer(ThrowingParent state, IIII_Result r) {
      Stage.jitter(state.family);
      r.r2 = Stage.close(state.parent);
    }

    @Arbiter
    public void end(ThrowingParent state, IIII_Result r) {
      state.end(r);
    }
  }

  /** DEFER: the parent waits for a child that got in. */
  @JCStressTest
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "closed first")
  @Outcome(id = "1, 1, 0, 11", expect = ACCEPTABLE, desc = "the child first: deferred")
  public static class Deferring {
    @Actor
    public void opener(DeferringParent state, IIII_Result r) {
      r.r1 = state.openChild();
    }

    @Actor
    public void closer(DeferringParent state, IIII_Result r) {
      Stage.jitter(state.family);
      r.r2 = Stage.close(state.parent);
    }

    @Arbiter
    public void end(DeferringParent state, IIII_Result r) {
      state.end(r);
    }
  }

  /** DEFER, and the parent is tenured already. */
  @JCStressTest
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "closed first")
  @Outcome(id = "1, 1, 0, 11", expect = ACCEPTABLE, desc = "the child first: deferred")
  public static class DeferringAgain {
    @Actor
    public void opener(FormerParent state, IIII_Result r) {
      r.r1 = state.openChild();
    }

    @Actor
    public void closer(FormerParent state, IIII_Result r) {
      Stage.jitter(state.family);
      r.r2 = Stage.close(state.parent);
    }

    @Arbiter
    public void end(FormerParent state, IIII_Result r) {
      state.end(r);
    }
  }

  /**
   * After the close of a parent whose one child is about to go: refused, whether {@code
   * Family.open} is 1 or 0 by then.
   */
  @JCStressTest
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "refused")
  public static class AfterClose {
    @Actor
    public void sibling(ParentOfOne state) {
      Stage.jitter(state.family);
      state.sibling.close();
    }

    @Actor
    public void closerThenOpener(ParentOfOne state, IIII_Result r) {
      r.r2 = Stage.close(state.parent);
      r.r1 = state.openChild();
    }

    @Arbiter
    public void end(ParentOfOne state, IIII_Result r) {
      state.end(r);
    }
  }

  /** CASCADE: a child that got in is closed, unless its native open was under way. */
  @JCStressTest
  @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "closed first")
  @Outcome(id = "1, 1, 1, 11", expect = ACCEPTABLE, desc = "the cascade closed the child")
  @Outcome(id = "1, 1, 0, 11", expect = ACCEPTABLE, desc = "it was opening: left to its opener")
  public static class Cascading {
    @Actor
    public void opener(CascadingParent state, IIII_Result r) {
      r.r1 = state.openChild();
    }

    @Actor
    public void closer(CascadingParent state, IIII_Result r) {
      Stage.jitter(state.family);
      r.r2 = Stage.close(state.parent);
    }

    @Arbiter
    public void end(CascadingParent state, IIII_Result r) {
      state.end(r);
    }
  }
}
