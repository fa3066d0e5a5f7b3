package dev.offcut.objectstream;

import java.io.ObjectStreamException;
import java.util.Collections;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Collections that compare a key with the one before it, or with a few: skip lists and heaps. */
final class Order implements Lookup {
  /** Of each key, on average: a heap of n is made with 2 n. */
  private static final int COMPARISONS = 2;

  /**
   * Of a text. A comparator looks at one after the other, {@code CASE_INSENSITIVE_ORDER} in both
   * cases where they differ; only the natural order has vector instructions.
   */
  private static final int CHARACTERS_A_STEP = 4;

  private final Expansion expansion;
  private boolean natural = true;
  private long heaviest = 1;

  Order(Expansion expansion) {
    this.expansion = expansion;
  }

  @Override
  public boolean hashes() {
    return false;
  }

  @Override
  public void order(Comparator<?> by) {
    natural &= isNatural(by);
  }

  @Override
  public long steps(Object key) throws ObjectStreamException {
    long steps = natural ? expansion.steps(key) : stepsByComparator(key, expansion);
    heaviest = Math.max(heaviest, steps);
    return Work.product(COMPARISONS, heaviest);
  }

  /** Whether texts are compared as fast as can be. */
  static boolean isNatural(@Nullable Comparator<?> by) {
    return by == null || by == Collections.reverseOrder();
  }

  /** Most steps of comparing a key with another by a comparator. */
  static long stepsByComparator(Object key, Expansion expansion) throws ObjectStreamException {
    return key instanceof String text
        ? 1 + text.length() / CHARACTERS_A_STEP
        : expansion.steps(key);
  }
}
