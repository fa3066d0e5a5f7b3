package dev.offcut.memory;

/** Sums of figures that others report: where a long is too short they stay at its end. */
final class Sums {
  private Sums() {}

  static long add(long one, long other) {
    long sum = one + other;
    boolean overflows = ((one ^ sum) & (other ^ sum)) < 0;
    return overflows ? atTheEnd(one) : sum;
  }

  static long subtract(long from, long less) {
    long rest = from - less;
    boolean overflows = ((from ^ less) & (from ^ rest)) < 0;
    return overflows ? atTheEnd(from) : rest;
  }

  private static long atTheEnd(long sign) {
    return sign < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
  }
}
