package dev.offcut.objectstream;

import java.io.ObjectStreamException;
import java.util.BitSet;

/**
 * The tables of {@code Set.of} and {@code Map.of}: a key is compared with the one in its place and
 * those that follow, until a place is free.
 */
final class Neighbours implements Lookup {
  /**
   * Of neighbours that are compared with a short text or a number. {@code Set.of} the texts "key 0"
   * to "key 29999" looks at 26 million of them.
   */
  private static final int VALUES_A_STEP = 4;

  private final Expansion expansion;
  private final BitSet taken = new BitSet();
  private int places = 1;
  private long heaviest = 1;

  Neighbours(Expansion expansion) {
    this.expansion = expansion;
  }

  /** As many places as these, each for an element or for a key and its value. */
  @Override
  public void table(long length) {
    places = (int) Math.max(1, Math.min(Integer.MAX_VALUE, length));
  }

  @Override
  public long steps(Object key) throws ObjectStreamException {
    int neighbours = neighbours(key.hashCode());
    if (ElementVisitor.in(key.getClass())) {
      heaviest = Math.max(heaviest, expansion.stepsToCompare(key));
      return Work.product(neighbours, heaviest);
    }
    long steps = Work.product(neighbours, Work.steps(key));
    boolean isValue = key.getClass().getClassLoader() == null && Work.steps(key) == 1;
    return isValue ? steps / VALUES_A_STEP : steps;
  }

  /** How many stand between the place of the hash and a free one, which is taken now. */
  private int neighbours(int hash) {
    int place = Math.floorMod(hash, places);
    int free = taken.nextClearBit(place);
    if (free >= places) {
      free = taken.nextClearBit(0);
    }
    taken.set(free);
    return Math.floorMod(free - place, places);
  }
}
