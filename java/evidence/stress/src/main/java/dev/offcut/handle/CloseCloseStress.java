package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two closers: one releases. Guards {@code Handle.link}: each compares-and-sets it away from the
 * place it names, so one of them wins; the other sees null, or fails and then sees null.
 *
 * <p>Result: how often the value was released.
 */
public final class CloseCloseStress {
  private static final HandleType TYPE =
      HandleType.named("close-close").releaser(Book::release).create();

  private CloseCloseStress() {}

  /** In a slot: {@code Handle.closeHandle}. */
  @JCStressTest
  @State
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "released once")
  public static class Young {
    final Subject handle = Stage.open(new Subject(TYPE, Book.fresh()));

    @Actor
    public void one() {
      handle.close();
    }

    @Actor
    public void other() {
      handle.close();
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = Book.releases(handle.value());
    }
  }
}
