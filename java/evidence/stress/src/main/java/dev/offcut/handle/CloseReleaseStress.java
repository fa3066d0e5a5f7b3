package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A closer against the net: a handle can become unreachable as soon as its link is gone, while its
 * closer has still to empty the place. Guards the second compare-and-set, on the registry's cell.
 *
 * <p>There is no such test for a young handle: its closer's last store is into the slot, through
 * which the token is reachable until then; the net reads the record once the token is not. The
 * record's elements are plain: the collector's discovery of the token lies between the two.
 */
public final class CloseReleaseStress {
  private static final HandleType EXACT =
      HandleType.named("close-release").releaser(Book::release).create();

  private CloseReleaseStress() {}

  /** The registry's cell. Results: releases; trackers left in the registry. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "released once")
  public static class Exact {
    final Subject handle = Stage.tenured(new Subject(EXACT, Book.fresh()));
    final Tracker tracker = Stage.tracker(handle);

    @Actor
    public void closer() {
      handle.close();
    }

    @Actor
    public void net() {
      Stage.release(tracker);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = Book.releases(handle.value());
      r.r2 = Segment.at(tracker.index()) == tracker ? 1 : 0;
    }
  }

  /** A registration of a cleaner. Results: runs of the action; registrations left. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "ran once")
  public static class Registered {
    private static final HandleType REGISTRATIONS =
        HandleType.forCleaner("close-release-cleaner", ReleaseLoop.shared());

    final AtomicInteger runs = new AtomicInteger();
    final Object referent = new Object();
    final Registration registration =
        Registration.open(REGISTRATIONS, referent, runs::incrementAndGet);

    @Actor
    public void closer() {
      registration.clean();
    }

    @Actor
    public void net() {
      Stage.release(registration);
    }

    @Arbiter
    public void end(II_Result r) {
      r.r1 = runs.get();
      r.r2 = Segment.at(registration.index()) == registration ? 1 : 0;
    }
  }
}
