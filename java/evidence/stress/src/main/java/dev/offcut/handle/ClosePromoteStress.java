package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A closer against a promoter. Guards {@code Handle.link} (one word decides who owns the slot) and
 * the order in {@code Promotion}: place in the registry → link → slot emptied → confirmed, and the
 * loser takes its place out again.
 *
 * <p>Results: how often the value was released; values left in the nursery's record; places left in
 * the registry. Every state's handle is closed when the first arbiter runs, so the registry is
 * empty then.
 */
public final class ClosePromoteStress {
  private static final HandleType EXACT =
      HandleType.named("close-promote").releaser(Book::release).create();

  private ClosePromoteStress() {}

  /** Each handle gets a tracker. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "released once, nothing left")
  public static class Exact {
    final Nursery nursery = Stage.nursery(EXACT, 2);
    final Subject handle = Stage.open(new Subject(EXACT, Book.fresh()), nursery);

    @Actor
    public void closer() {
      Stage.jitter(handle.value());
      handle.close();
    }

    @Actor
    public void promoter() {
      Promotion.of(nursery);
    }

    @Arbiter
    public void end(III_Result r) {
      r.r1 = Book.releases(handle.value());
      r.r2 = Stage.left(nursery);
      r.r3 = (int) EXACT.registry.open();
    }
  }
}
