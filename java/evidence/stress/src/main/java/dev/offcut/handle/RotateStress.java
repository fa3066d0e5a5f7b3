package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Rotation against the owner. Guards {@code Nursery.owner}, which the reaper sets to null while the
 * owner may be between its look at it and its claim: a late claim lands in a retired nursery, where
 * promoters still find it (they empty the table slot by slot, and never swap it away), or else the
 * record and the token cover it.
 *
 * <p>{@code Nurseries.directory} is read plainly: an entry that names the reader as its owner was
 * written by the reader, and any other leads to the slow path. No order could make an entry name a
 * thread that did not put it there, so there is nothing to be seen on any machine.
 */
public final class RotateStress {
  private static final HandleType TYPE =
      HandleType.named("rotate").releaser(Book::release).create();

  private RotateStress() {}

  /**
   * The owner closes one handle and opens another in the nursery that is being retired and dropped.
   *
   * <p>Results: releases of the first; values in the record while the second is open; places of the
   * second's value that were emptied by its close, 0 where it found no table.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "too late: the owner moves on")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the second was promoted")
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "the second is left to its record")
  public static class Retire {
    final Nursery nursery = Stage.nursery(TYPE, 2);
    final long family = Book.fresh();
    final Subject first = Stage.open(new Subject(TYPE, family), nursery);
    final Subject second = new Subject(TYPE, family + 1);

    @Actor
    public void owner() {
      first.close();
      if (Stage.reserve(second, nursery, null)) {
        Stage.adopt(second);
      }
    }

    @Actor
    public void reaper() {
      Stage.jitter(family);
      nursery.owner = null;
      Promotion.of(nursery);
      Promotion.of(nursery);
      nursery.drop();
    }

    @Arbiter
    public void end(III_Result r) {
      r.r1 = Book.releases(family);
      r.r2 = nursery.open();
      Object place = Stage.place(second);
      if (place != null) {
        second.close();
        boolean whereItBelongs = place instanceof Tracker == (r.r2 == 0) && nursery.open() == 0;
        r.r3 = whereItBelongs ? Book.releases(family + 1) : -1;
      }
    }
  }
}
