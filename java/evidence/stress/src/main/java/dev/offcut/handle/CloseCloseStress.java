package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
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

  /** A registration of the drop-in cleaner: {@code Registration.state}. */
  @JCStressTest
  @State
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "ran once")
  public static class Registration {
    private static final Cleaner CLEANER = Cleaner.create();

    final AtomicInteger runs = new AtomicInteger();
    final Object referent = new Object();
    final Cleaner.Cleanable registration = register(referent, runs);

    private static Cleaner.Cleanable register(Object referent, AtomicInteger runs) {
      return CLEANER.register(referent, runs::incrementAndGet);
    }

    @Actor
    public void one() {
      registration.clean();
    }

    @Actor
    public void other() {
      registration.clean();
    }

    @Arbiter
    public void end(I_Result r) {
      r.r1 = runs.get();
    }
  }
}
