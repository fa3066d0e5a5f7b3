package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.foreign.ConfinedSession$ConfinedResourceList}. */
public abstract class StockConfinedList {
  /** The first that was added; the others are where all lists have them. */
  public @Nullable StockCleanup cache;

  private StockConfinedList() {}
}
