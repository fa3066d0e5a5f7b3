package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The reaper and an opener with a full nursery promote the same handles. Guards {@code
 * Handle.link}: each puts a place into the registry, one moves the link, the other takes its place
 * out again ({@code Segment.remove}).
 *
 * <p>Results: places in the registry that no handle accounts for; values left in the record;
 * releases after the closes, 2 for each value once.
 */
public final class PromotePromoteStress {
  private static final HandleType EXACT =
      HandleType.named("promote-promote").releaser(Book::release).create();
  private static final Census EXACT_CENSUS = new Census(EXACT);

  private PromotePromoteStress() {}

  /** Two handles in one nursery. */
  private static final class Two {
    final Nursery nursery;
    final Subject first;
    final Subject second;

    Two(HandleType type) {
      long family = Book.fresh();
      nursery = Stage.nursery(type, 2);
      first = Stage.open(new Subject(type, family), nursery);
      second = Stage.open(new Subject(type, family + 1), nursery);
    }

    void close() {
      first.close();
      second.close();
    }

    void end(Census census, III_Result r) {
      r.r1 = census.surplus(2, this::close);
      r.r2 = Stage.left(nursery);
      int one = Book.releases(first.value());
      int other = Book.releases(second.value());
      r.r3 = one == 1 && other == 1 ? 2 : -1;
    }
  }

  /** To trackers. */
  @JCStressTest
  @State
  @Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "one place each")
  public static class Exact {
    final Two two = new Two(EXACT);

    @Actor
    public void opener() {
      EXACT_CENSUS.add(2);
      Promotion.of(two.nursery);
    }

    @Actor
    public void reaper() {
      Promotion.of(two.nursery);
    }

    @Arbiter
    public void end(III_Result r) {
      two.end(EXACT_CENSUS, r);
    }
  }
}
