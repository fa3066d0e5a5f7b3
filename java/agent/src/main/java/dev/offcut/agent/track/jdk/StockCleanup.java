package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.foreign.MemorySessionImpl$ResourceList$ResourceCleanup}. */
public abstract class StockCleanup {
  /** The one that was added before. */
  public @Nullable StockCleanup next;

  /** Made by a session, or by the agent. */
  protected StockCleanup() {}

  /** When the session is closed. */
  public abstract void cleanup();
}
