package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.foreign.SharedSession$SharedResourceList}. */
public abstract class StockSharedList extends StockList {
  /** Made by a session. */
  protected StockSharedList() {}

  @Override
  public native void add(StockCleanup cleanup);

  @Override
  public native void cleanup();
}
