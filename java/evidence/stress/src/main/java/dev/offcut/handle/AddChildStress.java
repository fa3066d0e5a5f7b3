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
  private static final HandleType DEFERRING = parents(CloseWithChildren.DEFER);
  private static final HandleType CASCADING = parents(CloseWithChildren.CASCADE);
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
    final Subject.Guarded parent;
    @Nullable Subject child;

    Parent(HandleType parents, HandleType children) {
      this.children = children;
      this.parent = Stage.open(new Subject.Guarded(parents, family));
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

  /** Waits for its children. */
  @State
  public static class DeferringParent extends Parent {
    /** Its child would be the first. */
    public DeferringParent() {
      super(DEFERRING, OF_DEFERRING);
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

  /** A cascade against the closes of two children: the list of {@code Family} loses none. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "all released once, the children first")
  public static class CascadingToTwo {
    final long family = Book.fresh();
    final Subject.Guarded parent = Stage.open(new Subject.Guarded(CASCADING, family));
    final Subject older = Stage.child(OF_CASCADING, parent, family + 1);
    final Subject younger = Stage.child(OF_CASCADING, parent, family + 2);

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
      r.r2 = Book.releases(family);
      r.r3 = Book.releases(older.value());
      r.r4 = Book.releases(younger.value());
    }
  }
}
