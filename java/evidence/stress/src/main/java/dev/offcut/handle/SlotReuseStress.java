package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * A slot is emptied by another thread than the owner's, who fills it again at once. Guards the
 * release store and the acquire read of {@code Slot.handle}: the record is cleared before the slot
 * is seen free, so a late clear cannot wipe the value of the next handle, which the net would then
 * never release.
 *
 * <p>On x86, stores become visible in program order, so here only a compiler could reorder the
 * record's clear with a weaker store of the handle, and C2 does so rarely; on AArch64 the processor
 * may. The argument for both: {@code vacate} stores the record, then the handle with release; the
 * owner reads null with acquire, then stores the record. The first store happens before the second.
 *
 * <p>Results: the second handle was opened (1) or found no room (0); values in the record before it
 * closed; releases of the first and of the second.
 */
public final class SlotReuseStress {
  private static final HandleType TYPE =
      HandleType.named("slot-reuse").releaser(Book::release).create();

  private SlotReuseStress() {}

  /** One slot, taken. */
  @State
  public static class OneSlot {
    final Nursery nursery = Stage.nursery(TYPE, 1);
    final long family = Book.fresh();
    final Subject first = Stage.open(new Subject(TYPE, family), nursery);
    final Subject second = new Subject(TYPE, family + 1);

    final int reopen() {
      boolean claimed = Stage.reserve(second, nursery, null);
      if (claimed) {
        Stage.adopt(second);
      }
      return claimed ? 1 : 0;
    }

    final void end(IIII_Result r) {
      r.r2 = Stage.left(nursery);
      first.close();
      r.r3 = Book.releases(first.value());
      if (r.r1 == 1) {
        second.close();
      }
      r.r4 = Book.releases(second.value());
    }
  }

  /** A closer in another thread. */
  @JCStressTest
  @Outcome(id = "0, 0, 1, 0", expect = ACCEPTABLE, desc = "the slot was still taken")
  @Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "used again, the value stands")
  public static class AfterClose {
    @Actor
    public void closer(OneSlot state) {
      state.first.close();
    }

    @Actor
    public void owner(OneSlot state, IIII_Result r) {
      Stage.jitter(state.family);
      r.r1 = state.reopen();
    }

    @Arbiter
    public void end(OneSlot state, IIII_Result r) {
      state.end(r);
    }
  }
}
