package dev.offcut.handle;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An opener waits for a releasing thread that was behind and is about to wait for its queue. The
 * thread must not wait without a mark in the queue: both would wait for up to a second. Guards the
 * second read of the requests in {@code mayWait}.
 *
 * <p>Results: whether the releasing thread waits; whether the opener has its answer, or a mark is
 * in the queue.
 */
@JCStressTest
@State
@Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "looks once more, and answers")
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "looks once more, though it is woken")
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "waits: answered, or the mark wakes it")
public class BackPressureStress {
  private final ReleaseLoop loop = new ReleaseLoop(null, null);
  private long request;
  private boolean waits;

  public BackPressureStress() {
    loop.noteBehind(true, 0);
  }

  @Actor
  public void opener() {
    request = loop.request();
  }

  @Actor
  public void worker() {
    waits = loop.mayWait(loop.requests());
  }

  @Arbiter
  public void end(II_Result r) {
    r.r1 = waits ? 1 : 0;
    r.r2 = loop.isAnswered(request) || loop.references().poll() != null ? 1 : 0;
  }
}
