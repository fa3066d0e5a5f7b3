package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads claim in one shared nursery. Guards {@code Slot.handle}, which the winner
 * compares-and-sets from null, and the making of slots in the table ({@code Nursery.slotAt}): a
 * slot that another thread made first is used, not replaced.
 *
 * <p>The slot's fields are final and the table's element is written by compare-and-exchange and
 * read with acquire, so nobody meets a slot without its token; x86 could not show otherwise.
 */
public final class SharedClaimStress {
  private static final HandleType TYPE =
      HandleType.named("shared-claim").releaser(Book::release).create();

  private SharedClaimStress() {}

  /**
   * One free slot, yet to be made, for which both look; results: who has it (1, 2, or 3 for both);
   * claims, of which one is the slot that was taken before.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "the one")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "the other")
  public static class TwoOfOne {
    final Nursery nursery = Stage.nursery(TYPE, 2);
    final Subject one = new Subject(TYPE, 0);
    final Subject other = new Subject(TYPE, 0);
    @Nullable Slot slotOfOne;
    @Nullable Slot slotOfOther;

    {
      Objects.requireNonNull(nursery.claimShared(new Subject(TYPE, 0)));
    }

    @Actor
    public void one() {
      slotOfOne = nursery.claimShared(one);
    }

    @Actor
    public void other() {
      slotOfOther = nursery.claimShared(other);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = (slotOfOne == null ? 0 : 1) + (slotOfOther == null ? 0 : 2);
      r.r2 = (int) nursery.claims();
    }
  }

  /**
   * A slot at the same index is made by two threads for the first time: one of the two is in the
   * table, and both handles can be found there by promoters.
   */
  @JCStressTest
  @State
  @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "each promoted, closed, released once")
  public static class OpenOpen {
    final Nursery nursery = Stage.nursery(TYPE, 4);
    final long family = Book.fresh();
    final Subject one = new Subject(TYPE, family);
    final Subject other = new Subject(TYPE, family + 1);

    private void open(Subject subject) {
      if (Stage.start(subject, nursery.claimShared(subject), null)) {
        Stage.adopt(subject);
      }
    }

    @Actor
    public void one() {
      open(one);
    }

    @Actor
    public void other() {
      open(other);
    }

    @Arbiter
    public void end(II_Result r) {
      Promotion.of(nursery);
      one.close();
      other.close();
      r.r1 = Book.releases(family) + Book.releases(family + 1);
      r.r2 = Stage.left(nursery);
    }
  }
}
