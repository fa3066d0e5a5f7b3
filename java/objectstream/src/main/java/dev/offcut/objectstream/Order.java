package dev.offcut.objectstream;

import java.io.ObjectStreamException;

/** Collections that compare a key with the one before it, or with a few: skip lists and heaps. */
final class Order implements Lookup {
  /** Of each key, on average: a heap of n is made with 2 n. */
  private static final int COMPARISONS = 2;

  private final Expansion expansion;
  private long heaviest = 1;

  Order(Expansion expansion) {
    this.expansion = expansion;
  }

  @Override
  public boolean hashes() {
    return false;
  }

  @Override
  public long steps(Object key) throws ObjectStreamException {
    heaviest = Math.max(heaviest, expansion.steps(key));
    return Work.product(COMPARISONS, heaviest);
  }
}
