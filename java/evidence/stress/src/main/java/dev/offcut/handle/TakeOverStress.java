package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A releasing thread whose call hung comes back while its successor goes on with what it released:
 * both visit the same references. Guards what each {@code releaseOne} decides by: the cell of
 * {@code Segment.cells}, an element of the record, or of the attachments where there are any.
 *
 * <p>Results: how often each of three values was released. A parent counts {@link Book#EARLY} more
 * when it went before a child.
 */
public final class TakeOverStress {
  private static final HandleType EXACT =
      HandleType.named("take-over").releaser(Book::release).create();
  private static final HandleType PARENTS =
      HandleType.named("take-over-parent")
          .releaser(Book::releaseParent)
          .closeWithChildren(CloseWithChildren.DEFER)
          .create();
  private static final HandleType CHILDREN =
      HandleType.named("take-over-child").releaser(Book::release).childOf(PARENTS).create();

  private TakeOverStress() {}

  /** Three values, and their handles, which keep the references from the real net. */
  abstract static class Three {
    final long family = Book.fresh();

    final void count(III_Result r) {
      r.r1 = Book.releases(family);
      r.r2 = Book.releases(family + 1);
      r.r3 = Book.releases(family + 2);
    }
  }

  /** A record of two children and, between them, one that was never opened; the parent is last. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each once, the parent last")
  public static class OfRecordOfChildren extends Three {
    final Nursery nursery = Stage.nursery(CHILDREN, 4);
    final Subject.Guarded parent = Stage.open(new Subject.Guarded(PARENTS, family));
    final Subject older = Stage.child(nursery, parent, family + 1);
    final Subject never = new Subject(CHILDREN, family + 3);
    final Subject younger;

    {
      Stage.reserve(never, nursery, parent.addChild(never));
      younger = Stage.child(nursery, parent, family + 2);
      parent.close();
      nursery.drop();
    }

    @Actor
    public void hung() {
      Stage.release(nursery);
    }

    @Actor
    public void successor() {
      Stage.release(nursery);
    }

    @Arbiter
    public void end(III_Result r) {
      count(r);
    }
  }

  /** The last handle of a record, and two that have trackers. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "each once")
  public static class OfRecordAndTrackers extends Three {
    final Nursery left = Stage.nursery(EXACT, 1);
    final Subject inRecord = Stage.open(new Subject(EXACT, family), left);
    final Subject tenured = Stage.tenured(new Subject(EXACT, family + 1));
    final Subject other = Stage.tenured(new Subject(EXACT, family + 2));

    {
      left.drop();
    }

    private void releaseAll() {
      Stage.release(left);
      Stage.release(Stage.tracker(tenured));
      Stage.release(Stage.tracker(other));
    }

    @Actor
    public void hung() {
      releaseAll();
    }

    @Actor
    public void successor() {
      releaseAll();
    }

    @Arbiter
    public void end(III_Result r) {
      count(r);
    }
  }
}
