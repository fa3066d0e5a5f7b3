package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A living handle leaves its aged group for a nursery. Guards the order in {@code Handle.rehome}:
 * record, slot, link, and only then the group's bit, so that there is no moment without an owner;
 * and {@code Handle.link}, which says which of the two places is emptied. Meanwhile the value
 * stands in both, which nobody can see dead: the mover holds the handle.
 *
 * <p>Results: places in groups, slots and records that no handle accounts for; releases after the
 * close.
 */
public final class RehomeStress {
  private static final HandleType TYPE =
      HandleType.named("rehome").releaser(Book::release).groupSize(2).create();
  private static final Census CENSUS = new Census(TYPE);

  private RehomeStress() {}

  /** A handle in a group. */
  @State
  public static class Grouped {
    final Subject handle = CENSUS.open(1, () -> Stage.tenured(new Subject(TYPE, Book.fresh())));

    final void end(II_Result r) {
      r.r1 = CENSUS.surplus(1, handle::close);
      r.r2 = Book.releases(handle.value());
    }

    final void endClosed(II_Result r) {
      r.r1 = CENSUS.surplus(0, () -> {});
      r.r2 = Book.releases(handle.value());
    }
  }

  /** Against a close. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "released once, nothing left")
  public static class Close {
    @Actor
    public void user(Grouped state) {
      state.handle.moveOut();
    }

    @Actor
    public void closer(Grouped state) {
      CENSUS.add(-1);
      Stage.jitter(state.handle.value());
      state.handle.close();
    }

    @Arbiter
    public void end(Grouped state, II_Result r) {
      state.endClosed(r);
    }
  }

  /** Against the promotion of the nursery that it enters: the promoter may come before the link. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "in one place, released once")
  public static class Promote {
    @Actor
    public void user(Grouped state) {
      state.handle.moveOut();
    }

    @Actor
    public void promoter(Grouped state) {
      Stage.jitter(state.handle.value());
      Stage.promoteActive(TYPE, false);
    }

    @Arbiter
    public void end(Grouped state, II_Result r) {
      state.end(r);
    }
  }

  /** Against another use that moves it too. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "in one place, released once")
  public static class Rehome {
    @Actor
    public void user(Grouped state) {
      state.handle.moveOut();
    }

    @Actor
    public void otherUser(Grouped state) {
      state.handle.moveOut();
    }

    @Arbiter
    public void end(Grouped state, II_Result r) {
      state.end(r);
    }
  }
}
