package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.foreign.MemorySessionImpl$ResourceList}. */
public abstract class StockList {
  /** The last that was added, or {@link StockCleanup#CLOSED_LIST}. */
  public @Nullable StockCleanup fst;

  /** Made by a session. */
  protected StockList() {}

  /** Adds, or throws. */
  public abstract void add(StockCleanup cleanup);

  /** Frees all, once. */
  public abstract void cleanup();

  /** Frees one and those behind it. */
  public static native void cleanup(StockCleanup first);
}
