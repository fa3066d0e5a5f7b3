package dev.offcut.agent.track.jdk;

import org.jspecify.annotations.Nullable;

/** Stands for {@code jdk.internal.misc.Unsafe}. */
public abstract class StockUnsafe {
  /** The only one. */
  public static native StockUnsafe getUnsafe();

  /** Where the elements of an array begin. */
  public abstract int arrayBaseOffset(Class<?> array);

  /** How far they are from each other. */
  public abstract int arrayIndexScale(Class<?> array);

  /** Whether a class is still to be initialized. */
  public abstract boolean shouldBeInitialized(Class<?> type);

  /** Adds atomically; what was there before. */
  public abstract long getAndAddLong(Object object, long offset, long delta);

  /** Replaces a number if it is as expected. */
  public abstract boolean compareAndSetLong(Object object, long offset, long expected, long value);

  /** Replaces a reference if it is as expected. */
  public abstract boolean compareAndSetReference(
      Object object, long offset, @Nullable Object expected, @Nullable Object value);

  /** Replaces a number; what was there before. */
  public abstract long getAndSetLong(Object object, long offset, long value);

  /** Where a field is. */
  public abstract long objectFieldOffset(Class<?> type, String field);

  /** Gives a block another size, and mostly another address. */
  public abstract long reallocateMemory(long address, long bytes);

  /** Reads, after all that was written before the number was. */
  public abstract long getLongAcquire(Object object, long offset);

  /** Writes, after all that was written before. */
  public abstract void putLongRelease(Object object, long offset, long value);
}
