package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.foreign.SharedSession}, which any thread closes. */
public abstract class StockShared {
  private StockShared() {}
}
