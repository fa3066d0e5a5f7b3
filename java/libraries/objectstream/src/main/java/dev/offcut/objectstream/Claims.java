package dev.offcut.objectstream;

import java.io.ObjectInputFilter.FilterInfo;

/**
 * What arrays and tables claim to hold, checked before they are allocated. A claim has to be backed
 * by bytes and references that may still come.
 *
 * <p>Invariant: {@code slots <= SLOTS_A_REFERENCE * maxReferences}. So what arrays inside arrays
 * claim together is bounded too, however deep they lie.
 */
final class Claims {
  /**
   * A hash table has at most 8 slots an element: load factor 1/4, rounded up to a power of two.
   * Less would refuse such tables; more lets hostile streams allocate more.
   */
  private static final int SLOTS_A_REFERENCE = 8;

  /** Slots of the smallest tables, which are there without any element. */
  private static final int SMALL = 64;

  private final Limits limits;
  private final Budget budget;
  private long slots;

  Claims(Limits limits, Budget budget) {
    this.limits = limits;
    this.budget = budget;
  }

  /** An array of {@code info.arrayLength()} elements of this type is about to be allocated. */
  void check(Class<?> component, FilterInfo info) throws StreamLimitException {
    long length = info.arrayLength();
    limits.check(Limit.ARRAY_LENGTH, length, "elements of " + component.getName() + "[]");
    if (component.isPrimitive()) {
      checkBytes(length * bytes(component), component, length);
    } else if (length > SMALL) {
      checkBytes(length / SLOTS_A_REFERENCE, component, length);
      limits.check(
          Limit.REFERENCES,
          info.references() + length / SLOTS_A_REFERENCE,
          "references, with those that a " + component.getName() + "[" + length + "] holds");
    }
    slots += component.isPrimitive() ? 0 : length;
    limits.check(
        Limit.REFERENCES, slots / SLOTS_A_REFERENCE, "references that arrays and tables hold");
  }

  private void checkBytes(long least, Class<?> component, long length) throws StreamLimitException {
    if (least > budget.remaining()) {
      limits.check(
          Limit.BYTES,
          budget.bytes() + least,
          "bytes read, with those of a " + component.getName() + "[" + length + "]");
    }
  }

  private static int bytes(Class<?> primitive) {
    if (primitive == long.class || primitive == double.class) {
      return Long.BYTES;
    }
    if (primitive == int.class || primitive == float.class) {
      return Integer.BYTES;
    }
    return primitive == short.class || primitive == char.class ? Short.BYTES : Byte.BYTES;
  }
}
