package dev.offcut.agent.track.jdk;

/** Stands for {@code jdk.internal.misc.Unsafe}, where a method has got another type over time. */
public abstract class StockArrays {
  /** The only one. */
  public static native StockArrays getUnsafe();

  /** Where the elements of an array begin. */
  public abstract long arrayBaseOffset(Class<?> array);
}
