package dev.offcut.objectstream;

import java.io.ObjectStreamException;
import java.util.Comparator;

/**
 * How one collection finds the place of a key, and what it compares it with on the way. Figures are
 * upper bounds, but for the {@code hashCode}, {@code equals} and {@code compareTo} of the program's
 * own classes: these count one step each.
 */
interface Lookup {
  /** Steps of comparing the next key with those that are there. */
  long steps(Object key) throws ObjectStreamException;

  /** Whether the key is hashed, which costs the steps of its own. */
  default boolean hashes() {
    return true;
  }

  /** The collection orders its keys by this. */
  default void order(Comparator<?> by) {}

  /** The collection is about to make a table of this length for its keys. */
  default void table(long length) {}
}
