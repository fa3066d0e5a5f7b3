package dev.offcut.objectstream;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * The steps that hashing and comparing cost one stream, all in all. Charged before the work is
 * done, so that it is never done beyond the limit.
 *
 * <p>A step is what an element of a list costs when its {@code hashCode} is computed, if it is in
 * the processor's caches.
 */
final class Work {
  /** Texts are compared by vector instructions: less would refuse honest ones, that are shared. */
  private static final long CHARACTERS_A_STEP = 64;

  /** No hash of a big number is kept. */
  private static final long BITS_A_STEP = 8;

  /**
   * Large decimals of different scales are compared by way of powers of ten, which takes more time
   * the larger they are: a product of numbers, which no constant times their length would bound.
   */
  private static final long STEPS_OF_POWERS = 1 << 13;

  /**
   * Of hashing a collection or a record, besides its content. The object, its table and the first
   * of its content lie apart in memory: in a large set of small lists the processor mostly waits
   * for them.
   */
  static final long STEPS_A_COLLECTION = 6;

  /** Steps that a stream of a few bytes may take. */
  private static final long LEAST = 1 << 19;

  /** Bytes of a stream that may take all the steps of its policy; a shorter one, its part. */
  private static final long BYTES_FOR_ALL = 1 << 17;

  private final Limits limits;
  private long steps;

  /** Of the input, so far. */
  private long bytes;

  Work(Limits limits) {
    this.limits = limits;
  }

  /** So many bytes have been taken from the input. */
  void bytes(long taken) {
    bytes = taken;
  }

  /** Refuses the stream if these steps are too many, for any stream or for so few bytes. */
  void charge(long more, Class<?> by) throws StreamLimitException {
    steps = sum(steps, more);
    limits.check(Limit.WORK, steps, "steps of hashing and comparing, last of a ", by);
    if (steps > LEAST && bytes < BYTES_FOR_ALL) {
      long part = Math.max(LEAST, limits.of(Limit.WORK) / BYTES_FOR_ALL * bytes);
      if (steps > part) {
        throw new StreamLimitException(Limit.WORK, steps, limits.of(Limit.WORK), bytes, part, by);
      }
    }
  }

  /** Steps of hashing, or comparing, an object without elements. */
  static long steps(Object leaf) {
    if (leaf instanceof String text) {
      return 1 + text.length() / CHARACTERS_A_STEP;
    }
    if (leaf instanceof BigInteger number) {
      return 1 + number.bitLength() / BITS_A_STEP;
    }
    if (leaf instanceof BigDecimal number) {
      long length = number.unscaledValue().bitLength() / BITS_A_STEP;
      return 1 + length + length * (length / STEPS_OF_POWERS);
    }
    return 1;
  }

  /** Of figures that are not negative; Long.MAX_VALUE if there is no such long. */
  static long sum(long a, long b) {
    long sum = a + b;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Of figures that are not negative; Long.MAX_VALUE if there is no such long. */
  static long product(long a, long b) {
    return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE : a * b;
  }
}
