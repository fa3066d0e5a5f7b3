package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup}. */
public abstract class StockCleanup {
  /** Stands in a list that is closed. */
  public static final StockCleanup CLOSED_LIST = closed();

  /** The one that was added before. */
  public @Nullable StockCleanup next;

  private StockCleanup() {}

  private static native StockCleanup closed();
}
