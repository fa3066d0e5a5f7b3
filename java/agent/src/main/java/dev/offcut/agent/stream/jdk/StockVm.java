package dev.offcut.agent.stream.jdk;

/** Stands for {@code jdk.internal.misc.VM}. */
public final class StockVm {
  private StockVm() {}

  /** The walk over the stack. */
  public static native ClassLoader latestUserDefinedLoader();
}
