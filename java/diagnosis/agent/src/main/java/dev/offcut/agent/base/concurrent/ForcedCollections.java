package dev.offcut.agent.base.concurrent;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Collections that the JDK asks for since direct memory is used up.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class ForcedCollections {
  /** The agent's, which commits the event: that is no class of java.base. */
  private static volatile @Nullable LongConsumer listener;

  private ForcedCollections() {}

  /** Who hears of them. */
  public static void listen(LongConsumer to) {
    listener = to;
  }

  /** Who hears of them by now. */
  public static @Nullable LongConsumer listener() {
    return listener;
  }

  /** Collects, for so many bytes. */
  public static void collect(long bytes) {
    LongConsumer to = listener;
    if (to != null) {
      try {
        to.accept(bytes);
      } catch (Throwable e) {
        // it hears the next one
      }
    }
    System.gc();
  }
}
