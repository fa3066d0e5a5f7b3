package dev.offcut.agent.base.concurrent;

/**
 * Atomic access to the elements of arrays. What the JDK has for it in public would be initialized
 * for nothing else at the start of the program.
 *
 * <p>A helper: a copy of it in java.base runs.
 */
public final class Atomics {
  /** What does it. */
  public static final Stock.Unsafe UNSAFE = Stock.Unsafe.getUnsafe();

  private static final long LONGS = base();

  private Atomics() {}

  private static long base() {
    try {
      return Stock.Arrays.getUnsafe().arrayBaseOffset(long[].class);
    } catch (NoSuchMethodError e) {
      return UNSAFE.arrayBaseOffset(long[].class); // as it was before JDK 25
    }
  }

  private static long at(int index) {
    return LONGS + ((long) index << 3);
  }

  /** Adds; what was there before. */
  static long add(long[] array, int index, long delta) {
    return UNSAFE.getAndAddLong(array, at(index), delta);
  }

  /** Replaces a number if it is as expected. */
  static boolean replace(long[] array, int index, long expected, long value) {
    return UNSAFE.compareAndSetLong(array, at(index), expected, value);
  }
}
