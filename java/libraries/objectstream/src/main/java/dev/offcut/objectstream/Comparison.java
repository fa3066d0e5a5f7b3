package dev.offcut.objectstream;

import java.io.ObjectStreamException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Most steps of comparing an object with one of its kind, added up. Sets and maps look up each
 * element of the other, and it may be that all of their own have the same hash, or that none of
 * them is found by a hash: each then counts as often as there are elements.
 */
final class Comparison extends ElementVisitor {
  private final Expansion expansion;
  private final Class<?> whole;
  private final int depth;
  private final long width;

  /** Whether keys are found by a comparator. */
  private final boolean compares;

  private long steps = 1;

  private Comparison(Expansion expansion, Object whole, int depth) throws ObjectStreamException {
    this.expansion = expansion;
    this.whole = whole.getClass();
    this.depth = depth;
    this.width = width(whole);
    this.compares = !Order.isNatural(comparator(whole));
    addAllOf(whole);
  }

  /** The steps for this object. */
  static long steps(Object object, Expansion expansion) throws ObjectStreamException {
    return ElementVisitor.in(object.getClass())
        ? new Comparison(expansion, object, 0).steps
        : Work.steps(object);
  }

  private static @Nullable Comparator<?> comparator(Object whole) {
    if (whole instanceof SortedSet<?> set) {
      return set.comparator();
    }
    return whole instanceof SortedMap<?, ?> map ? map.comparator() : null;
  }

  private static long width(Object whole) {
    if (whole instanceof Collection<?> collection) {
      return collection.size();
    }
    return whole instanceof Map<?, ?> map ? map.size() : 1;
  }

  @Override
  void add(@Nullable Object element) throws ObjectStreamException {
    steps = Work.sum(steps, of(element));
  }

  @Override
  void addKey(@Nullable Object key) throws ObjectStreamException {
    if (key != null) {
      this.steps = Work.sum(this.steps, expansion.steps(key));
      long steps =
          compares && key instanceof String ? Order.stepsByComparator(key, expansion) : of(key);
      this.steps = Work.sum(this.steps, Work.product(width, steps));
    }
  }

  private long of(@Nullable Object element) throws ObjectStreamException {
    if (element == null) {
      return 1;
    }
    if (!ElementVisitor.in(element.getClass())) {
      return Work.steps(element);
    }
    if (depth == Expansion.DEEPEST) {
      throw expansion.circle(whole);
    }
    return new Comparison(expansion, element, depth + 1).steps;
  }
}
