package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

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
