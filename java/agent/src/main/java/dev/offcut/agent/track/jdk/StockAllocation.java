package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.foreign.SegmentFactories$1}, which frees an allocation. */
public abstract class StockAllocation {
  /** Bytes. */
  @SuppressWarnings({"checkstyle:MemberName", "MemberName"}) // the compiler's
  public long val$allocationSize;

  private StockAllocation() {}
}
