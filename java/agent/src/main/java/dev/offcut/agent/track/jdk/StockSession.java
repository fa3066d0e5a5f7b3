package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.foreign.MemorySessionImpl}, which is what an arena opens. */
public abstract class StockSession {
  /** What is to be freed when it is closed. It does not refer to the session. */
  public final StockList resourceList;

  private StockSession(StockList list) {
    resourceList = list;
  }

  /** What who uses a closed one gets. */
  public static native IllegalStateException alreadyClosed();
}
