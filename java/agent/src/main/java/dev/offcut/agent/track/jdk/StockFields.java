package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.misc.Unsafe}, for fields that nobody shows. */
public abstract class StockFields {
  /** The only one. */
  public static native StockFields getUnsafe();

  /** Where a field is. */
  public abstract long objectFieldOffset(Class<?> type, String field);

  /** Reads a field. */
  public abstract @Nullable Object getReference(Object object, long offset);
}
