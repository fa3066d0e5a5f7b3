package dev.offcut.handle;

import java.time.Duration;
import java.util.List;

/**
 * Hears what the net finds. Called on threads of the net, which wait meanwhile, or on the thread
 * that closes the last child of a forgotten parent: return soon. What it throws is counted and
 * ignored.
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
   * A releaser threw on a thread of the net, or the net itself failed, and goes on.
   *
   * @param type the type's name; {@code offcut} if the net failed
   * @param failure what was thrown
   */
  default void releaseFailed(String type, Throwable failure) {}

  /**
   * A releaser has not returned for long; other resources are released by another thread.
   *
   * @param type the type's name
   * @param since for how long at least
   */
  default void releaserHung(String type, Duration since) {}
}
