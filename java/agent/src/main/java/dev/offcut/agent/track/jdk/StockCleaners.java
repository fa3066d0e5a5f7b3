package dev.offcut.agent.track.jdk;

import java.lang.ref.Cleaner;

/** Stands for {@code jdk.internal.ref.CleanerFactory}. */
public final class StockCleaners {
  private StockCleaners() {}

  /** The JDK's own. */
  public static native Cleaner cleaner();
}
