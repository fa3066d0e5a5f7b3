package dev.offcut.handle;

import java.time.Duration;
import java.util.List;

/**
 * Receives reports of the net. The net calls these methods on its own threads, or on the thread
 * that closes the last child of a forgotten parent, and waits for their return. So return soon. If
 * a listener throws, the net counts the exception and ignores it.
 */
public interface HandleListener {
  /**
   * Reports handles that the program forgot and the net has released.
   *
   * @param type the name of their type
   * @param count how many of the handles that the net has just released were opened at this site
   * @param site the stack of the opening, outermost frame last; empty if it was not recorded
   */
  default void forgotten(String type, long count, List<StackTraceElement> site) {}

  /**
   * Reports that a releaser threw on a thread of the net, or that the net itself failed. The net
   * continues in both cases.
   *
   * @param type the name of the type; {@code offcut} if the net failed
   * @param failure what was thrown
   */
  default void releaseFailed(String type, Throwable failure) {}

  /**
   * Reports that a releaser has not returned for a long time. Another thread now releases the other
   * resources.
   *
   * @param type the name of the type
   * @param since the time that the releaser has been running, as a lower bound
   */
  default void releaserHung(String type, Duration since) {}
}
