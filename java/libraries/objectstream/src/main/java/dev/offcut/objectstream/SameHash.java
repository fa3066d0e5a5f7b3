package dev.offcut.objectstream;

import java.io.ObjectStreamException;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Hash tables that compare a key with those of the same hash; if there are many, with some of them,
 * as long as they are of one class that has an order. {@code Hashtable} compares it with all of its
 * bucket.
 */
final class SameHash implements Lookup {
  /** Classes by whose order a table makes a tree of keys. */
  private static final Set<Class<?>> ORDERED =
      Set.of(String.class, Long.class, Double.class, UUID.class, Date.class);

  /** Keys of one hash, as soon as there are two. */
  private static final class Group {
    final Object first;
    boolean ordered;
    long others;
    long heaviest;

    Group(Object first, long steps, boolean ordered) {
      this.first = first;
      this.heaviest = steps;
      this.ordered = ordered;
    }
  }

  private final Expansion expansion;
  private final boolean byBucket;
  private long buckets = 1;

  /** By hash or bucket: the one key, or the {@link Group}. */
  private final Map<Integer, Object> keys = new HashMap<>();

  /**
   * Without a key yet.
   *
   * @param byBucket whether all keys of a bucket are compared, in no order
   */
  SameHash(Expansion expansion, boolean byBucket) {
    this.expansion = expansion;
    this.byBucket = byBucket;
  }

  @Override
  public void table(long length) {
    buckets = Math.max(1, length);
  }

  @Override
  public long steps(Object key) throws ObjectStreamException {
    int hash = key.hashCode();
    int place = byBucket ? (int) ((hash & Integer.MAX_VALUE) % buckets) : hash;
    Object there = keys.putIfAbsent(place, key);
    if (there == null || there == key) {
      return 0;
    }
    Group group;
    if (there instanceof Group known) {
      group = known;
    } else {
      boolean ordered = !byBucket && ORDERED.contains(there.getClass());
      group = new Group(there, expansion.stepsToCompare(there), ordered);
      keys.put(place, group);
    }
    return group.first == key ? 0 : steps(group, key);
  }

  private long steps(Group group, Object key) throws ObjectStreamException {
    group.others++;
    group.heaviest = Math.max(group.heaviest, expansion.stepsToCompare(key));
    group.ordered &= group.first.getClass() == key.getClass();
    long comparisons =
        group.ordered ? Long.SIZE - Long.numberOfLeadingZeros(group.others) : group.others;
    return Work.product(comparisons, group.heaviest);
  }
}
