package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.misc.VM}. */
public final class StockVm {
  private StockVm() {}

  /** What the JVM was given, wherever from. */
  public static native String[] getRuntimeArguments();
}
