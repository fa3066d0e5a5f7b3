package dev.offcut.handle;

import java.time.Duration;
import java.util.List;

/**
 * Receives what the net finds. The methods are called on threads of the net, which wait for their
 * return, or on the thread that closes the last child of a forgotten parent: return soon. An
 * exception of a listener is counted and ignored.
 */
public interface HandleListener {
  /**
   * Handles were forgotten, and have been released by the net.
   *
   * @param type the type's name
   * @param count how many, opened at this site, in one batch
   * @param site the opening stack, outermost last; empty where it was not recorded
   */
  default void forgotten(String type, long count, List<StackTraceElement> site) {}

  /**
   * A releaser threw on a thread of the net, or the net itself failed. The net goes on in both
   * cases.
   *
   * @param type the type's name; {@code offcut} if the net failed
   * @param failure what was thrown
   */
  default void releaseFailed(String type, Throwable failure) {}

  /**
   * A releaser has not returned for long; other resources are released by another thread.
   *
   * @param type the type's name
   * @param since how long it has run, at least
   */
  default void releaserHung(String type, Duration since) {}
}
