package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A tracker that its promoter has not confirmed, and the net. Guards {@code Tracker.value}: 0 until
 * the link has moved, and the net releases nothing without it, so a promoter that lost its handle
 * to a closer may be as late as it likes in taking the tracker out. Who empties the cell releases.
 *
 * <p>{@code confirm} is a release and the net's read an acquire, so the net, which releases, comes
 * after all that the promoter did. On x86 plain accesses would pass here too: the value is one
 * word, and the processor keeps the order of stores and of loads.
 */
public final class TentativeStress {
  private static final HandleType TYPE =
      HandleType.named("tentative").releaser(Book::release).create();

  private TentativeStress() {}

  /** A tracker in the registry, not confirmed. */
  @State
  public static class Tentative {
    final Subject handle = new Subject(TYPE, Book.open(Book.fresh()));
    final Tracker tracker = Tracker.of(handle, TYPE, null, null);

    {
      TYPE.registry.insert(tracker);
    }

    @SuppressWarnings("EnumOrdinal") // jcstress results are numbers
    final int release() {
      return tracker.releaseOne(new Tally()).ordinal();
    }
  }

  /**
   * The promoter confirms.
   *
   * <p>Results: the net's answer, {@code DONE} or {@code LATER}; releases; releases after one more
   * visit of the net.
   */
  @JCStressTest
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "confirmed, released")
  @Outcome(id = "2, 0, 1", expect = ACCEPTABLE, desc = "not yet confirmed: later")
  public static class Confirm {
    @Actor
    public void promoter(Tentative state) {
      state.tracker.value = state.handle.value() ^ Handle.CODE;
    }

    @Actor
    public void net(Tentative state, III_Result r) {
      r.r1 = state.release();
    }

    @Arbiter
    public void end(Tentative state, III_Result r) {
      r.r2 = Book.releases(state.handle.value());
      state.release();
      r.r3 = Book.releases(state.handle.value());
    }
  }

  /**
   * The whole of it: a promoter, a closer, and right after the close the net, as if the handle had
   * been unreachable at once. Each state has a type of its own, so that the net knows the cell
   * where the tracker is going to stand.
   *
   * <p>Results: releases; trackers left in the registry.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "released once")
  public static class PromoteCloseRelease {
    private static final int LOOKS = 64;

    final HandleType own = type();
    final Nursery nursery = Stage.nursery(own, 1);
    final Subject handle = Stage.open(new Subject(own, Book.fresh()), nursery);
    final Tracker before = Tracker.of(handle, own, null, null);

    {
      own.registry.insert(before);
    }

    private static HandleType type() {
      return HandleType.named("tentative-own").releaser(Book::release).create();
    }

    @Actor
    public void promoter() {
      Promotion.of(nursery);
    }

    @Actor
    public void closerThenNet() {
      Stage.jitter(handle.value());
      handle.close();
      Segment.Cell cell = null;
      for (int i = 0; i < LOOKS && cell == null; i++) {
        cell = Segment.at(before.index() + 1);
      }
      if (cell instanceof Tracker tracker) {
        tracker.releaseOne(new Tally());
      }
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = Book.releases(handle.value());
      Segment.remove(before);
      r.r2 = (int) own.registry.open();
      own.registry.trim();
    }
  }
}
