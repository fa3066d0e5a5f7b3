package dev.offcut.agent.stream.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.loader.ClassLoaderValue}: a value that a class loader holds. */
public final class StockLoaderValue {
  /** A key. */
  public StockLoaderValue() {}

  /** The value that a loader holds under this key. */
  public native @Nullable Object get(ClassLoader loader);

  /** Gives a loader a value; the one that was there before. */
  public native @Nullable Object putIfAbsent(ClassLoader loader, Object value);
}
