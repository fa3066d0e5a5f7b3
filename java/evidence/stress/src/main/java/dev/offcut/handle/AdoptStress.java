package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The native open returns while others look at the handle. Guards the order in {@code
 * Handle.adopt}: the record, then {@code Handle.value} with release, which the others read with
 * acquire. Who sees the value empties the record after the opener filled it; otherwise a value
 * could stand in a record that its handle has left, to be released a second time.
 *
 * <p>On x86 the two stores become visible in program order, so here only a change of that order is
 * caught. The argument for AArch64: the record's store happens before the release of the value,
 * that before the acquire, that before the clear in {@code Slot.vacate}; so the clear is last.
 *
 * <p>Results: what the other did; values in the record then; releases after the close.
 */
public final class AdoptStress {
  private static final HandleType TYPE = HandleType.named("adopt").releaser(Book::release).create();

  private AdoptStress() {}

  /** Closes a handle that may be opening; says whether it was told so. */
  private static int closeEarly(Handle handle) {
    try {
      handle.close();
      return Stage.DONE;
    } catch (IllegalStateException e) {
      return Stage.REFUSED;
    }
  }

  private static void end(Nursery nursery, Handle handle, long value, III_Result r) {
    r.r2 = Stage.left(nursery);
    handle.close();
    r.r3 = Book.releases(value) + 10 * nursery.open();
  }

  /** A handle whose native open is under way. */
  @State
  public static class Opening {
    final Nursery nursery = Stage.nursery(TYPE, 1);
    final Subject handle = new Subject(TYPE, Book.fresh());

    {
      Stage.reserve(handle, nursery, null);
    }

    final void end(III_Result r) {
      AdoptStress.end(nursery, handle, handle.value(), r);
    }
  }

  /** A promoter: it passes over what is opening. */
  @JCStressTest
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "young, in the record")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "tenured, the record is empty")
  public static class Promote {
    @Actor
    public void opener(Opening state) {
      Stage.jitter(state.handle.value());
      Stage.adopt(state.handle);
    }

    @Actor
    public void promoter(Opening state) {
      Promotion.of(state.nursery);
    }

    @Arbiter
    public void end(Opening state, III_Result r) {
      r.r1 = Stage.place(state.handle) instanceof Tracker ? 1 : 0;
      state.end(r);
    }
  }

  /** A closer: it is told when it comes too early. */
  @JCStressTest
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "too early: open, in the record")
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "closed, the record is empty")
  public static class Close {
    @Actor
    public void opener(Opening state) {
      Stage.jitter(state.handle.value());
      Stage.adopt(state.handle);
    }

    @Actor
    public void closer(Opening state, III_Result r) {
      r.r1 = closeEarly(state.handle);
    }

    @Arbiter
    public void end(Opening state, III_Result r) {
      state.end(r);
    }
  }
}
