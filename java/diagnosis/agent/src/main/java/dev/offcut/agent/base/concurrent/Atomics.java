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

  private static final long LONGS = base(long[].class);
  private static final long OBJECTS = base(Object[].class);
  private static final int SCALE = UNSAFE.arrayIndexScale(Object[].class);

  private Atomics() {}

  private static long base(Class<?> array) {
    try {
      return Stock.Arrays.getUnsafe().arrayBaseOffset(array);
    } catch (NoSuchMethodError e) {
      return UNSAFE.arrayBaseOffset(array); // as it was before JDK 25
    }
  }

  /** Where an element of an array of longs is. */
  static long at(int index) {
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

  /** Puts something where nothing is; whether nothing was. */
  public static boolean put(Object[] array, int index, Object value) {
    return UNSAFE.compareAndSetReference(array, OBJECTS + (long) index * SCALE, null, value);
  }
}
