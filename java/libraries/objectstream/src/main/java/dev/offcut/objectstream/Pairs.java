package dev.offcut.objectstream;

import java.io.ObjectStreamException;

/**
 * Collections that compare each element with all before it: since JDK 21, {@code
 * CopyOnWriteArraySet} adds what it reads one by one.
 */
final class Pairs implements Lookup {
  private final Expansion expansion;
  private long others;
  private long heaviest = 1;

  Pairs(Expansion expansion) {
    this.expansion = expansion;
  }

  @Override
  public boolean hashes() {
    return false;
  }

  @Override
  public long steps(Object key) throws ObjectStreamException {
    heaviest = Math.max(heaviest, expansion.stepsToCompare(key));
    return Work.product(others++, heaviest);
  }
}
