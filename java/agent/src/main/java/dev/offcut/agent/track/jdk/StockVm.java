package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.misc.VM}. */
public final class StockVm {
  private StockVm() {}

  /** What the JVM was given, wherever from; null if that is nothing. */
  public static native String @Nullable [] getRuntimeArguments();
}
