package dev.offcut.handle;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How often each raw value was released: what every test here is judged by.
 *
 * <p>A test's state takes a family of {@link #FAMILY} values that no other state uses, so a count
 * is its own. Lines are used again after {@link #LINES} values; a release that comes so late finds
 * another value in its line and is not counted.
 */
final class Book {
  /** Values of one state: a parent's is the first, the others can be its children's. */
  static final int FAMILY = 4;

  /** Set in a parent's count when it was released before an open child. */
  static final int EARLY = 64;

  /** Set in every count once a value was released that nobody opened. */
  static final int WILD = 32;

  private static final int LINES = 1 << 18;
  private static final int OPENED = 128;
  private static final AtomicLong NEXT = new AtomicLong(FAMILY);

  /** By value: the value in the upper 56 bits; below, opened, early, and how often released. */
  private static final AtomicLongArray RELEASES = new AtomicLongArray(LINES);

  private static volatile int wild;

  private Book() {}

  /** The first value of a family that nobody has used. */
  static long fresh() {
    long first = NEXT.getAndAdd(FAMILY);
    for (long value = first; value < first + FAMILY; value++) {
      RELEASES.set(line(value), value << 8);
    }
    return first;
  }

  /** The native open. */
  static long open(long value) {
    mark(value, OPENED);
    return value;
  }

  /** The releaser of most types here. */
  static void release(long value) {
    if (value < FAMILY || value >= NEXT.get()) {
      wild = WILD;
    }
    RELEASES.getAndUpdate(line(value), seen -> seen >>> 8 == value ? seen + 1 : seen);
  }

  /** The releaser of parents: children first. */
  static void releaseParent(long value) {
    for (long child = value + 1; child < value + FAMILY; child++) {
      long seen = RELEASES.get(line(child));
      if ((seen & OPENED) != 0 && releases(child) == 0) {
        mark(value, EARLY);
      }
    }
    release(value);
  }

  /** How often it was released, with {@link #EARLY} and {@link #WILD} where they apply. */
  static int releases(long value) {
    return (int) (RELEASES.get(line(value)) & (OPENED - 1)) | wild;
  }

  private static void mark(long value, int bit) {
    RELEASES.getAndUpdate(line(value), seen -> seen >>> 8 == value ? seen | bit : seen);
  }

  private static int line(long value) {
    return (int) value & (LINES - 1);
  }
}
