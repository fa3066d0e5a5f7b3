package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.foreign.ConfinedSession}, which one thread closes. */
public abstract class StockConfined {
  private StockConfined() {}
}
