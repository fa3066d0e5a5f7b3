package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.foreign.ImplicitSession}, which the collector closes. */
public abstract class StockImplicit {
  private StockImplicit() {}
}
