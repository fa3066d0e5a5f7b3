package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.foreign.MemorySessionImpl$ResourceList}. */
public abstract class StockList {
  /** The last that was added. */
  public @Nullable StockCleanup fst;

  private StockList() {}

  /** Adds. */
  public native void add(StockCleanup cleanup);
}
