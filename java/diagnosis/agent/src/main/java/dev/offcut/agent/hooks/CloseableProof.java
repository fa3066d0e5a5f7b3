package dev.offcut.agent.hooks;

import dev.offcut.agent.base.concurrent.Counts;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows that closeables by rule are counted rightly on this JDK, as {@link Proof} does of other
 * kinds: once for all of them, since all are rewritten and counted in the same way.
 *
 * <p>Several threads look: the agent's, and one at the program's end. The counts are read under the
 * same lock under which the probes are made. Else one thread would judge counts from before, or
 * amid, the probes of another.
 */
public final class CloseableProof {
  private Proof.State state = Proof.State.NONE;
  private @Nullable WeakReference<Object> dropped;

  private final Supplier<AutoCloseable> probe;
  private final Supplier<long[]> counts;

  /** {@code probe} makes one; {@code counts}: those of the probes. */
  public CloseableProof(Supplier<AutoCloseable> probe, Supplier<long[]> counts) {
    this.probe = probe;
    this.counts = counts;
  }

  /**
   * Does what can be done now.
   *
   * @param isInUse whether the program has opened any
   */
  public synchronized Proof.State look(boolean isInUse) {
    if (dropped == null && isInUse) {
      tryOut();
    }
    WeakReference<Object> second = dropped;
    if (second == null) {
      return state;
    }
    long[] now = counts.get();
    if (state == Proof.State.REFUTED) {
      return state;
    }
    boolean isGone = second.refersTo(null);
    if (!isRight(now, isGone)) {
      state = Proof.State.REFUTED;
    } else if (now[Counts.LOST] == 1) {
      state = Proof.State.FULL;
    } else {
      state = isGone ? Proof.State.MISSED : Proof.State.CLOSED;
    }
    return state;
  }

  private void tryOut() {
    try {
      probe.get().close();
    } catch (Exception e) {
      throw new IllegalStateException(e); // a probe closes nothing
    }
    dropped = new WeakReference<>(probe.get());
  }

  private static boolean isRight(long[] now, boolean isGone) {
    return now[Counts.OPENED] == 2
        && now[Counts.CLOSED] == 1
        && now[Counts.COLLECTED] == 0
        && now[Counts.LOST] <= 1
        && (now[Counts.LOST] == 0 || isGone);
  }
}
