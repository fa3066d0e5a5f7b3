package dev.offcut.agent.track;

import dev.offcut.agent.base.concurrent.Counts;
import dev.offcut.agent.watch.Probe;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Shows that closeables by rule are counted rightly on this JDK, as {@link Proof} does of other
 * kinds: once for all of them, since all are rewritten and counted in the same way.
 */
final class CloseableProof {
  /** The class of the probes: its kind is none of the program's. */
  static final String NAME = "dev.offcut.agent.watch.Probe";

  private static Proof.State state = Proof.State.NONE;
  private static @Nullable WeakReference<Object> dropped;

  private CloseableProof() {}

  /**
   * Does what can be done now.
   *
   * @param isInUse whether the program has opened any
   * @param now the counts of the probes; none before the first
   */
  static synchronized Proof.State look(boolean isInUse, long[] now) {
    if (state == Proof.State.NONE && isInUse && now.length == 0) {
      new Probe().close();
      dropped = new WeakReference<>(new Probe());
    } else if (state != Proof.State.REFUTED && now.length > 0) {
      WeakReference<Object> second = dropped;
      boolean isGone = second != null && second.refersTo(null);
      boolean isRight =
          now[Counts.OPENED] == 2
              && now[Counts.CLOSED] == 1
              && now[Counts.COLLECTED] == 0
              && now[Counts.LOST] <= 1
              && (now[Counts.LOST] == 0 || isGone);
      if (!isRight) {
        state = Proof.State.REFUTED;
      } else if (now[Counts.LOST] == 1) {
        state = Proof.State.FULL;
      } else {
        state = isGone ? Proof.State.MISSED : Proof.State.CLOSED;
      }
    }
    return state;
  }
}
