package dev.offcut.objectstream;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.util.Comparator;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How large each collection is when what it shares is counted as often as it is reached. That is
 * what {@code hashCode} of a set of sets of sets costs, which a short stream can make endless.
 *
 * <pre>
 *  elements(c) = 1 + sum of elements(e) over the elements e            at most maxExpansion
 *  height(c)   = 1 + most height(e), also of what lies in c in the stream   at most maxDepth
 *  steps(c)    = 6 + sum of steps(e), and each by way of what c may wrap,  what hashing costs
 *                and the places of its table, and 3 for each node of a set or map
 * </pre>
 *
 * <p>What has no elements counts 1; a text or a big number takes more steps than one. A collection
 * is weighed when it has been read, before the object around it gets it. Sizes are kept, except
 * where an element has none: that one is still being read and may grow, or a record's constructor
 * made it. Such elements are walked each time.
 *
 * <p>Walks are work too, where a collection has more elements than the stream had for it: those of
 * another one, which it wraps, or of an array that many share. Each is then reached through as many
 * wrappers as lie in one another.
 */
final class Expansion {
  /** A walk deeper than this is in a circle, or would overflow the stack of {@code hashCode}. */
  static final int DEEPEST = 500;

  /** Places of a table, taken or not, that a walk over it passes in a step. */
  private static final int PLACES_A_STEP = 8;

  /** Steps of reaching an element of a set or map, whose nodes lie in the order of the hashes. */
  private static final int STEPS_A_NODE = 3;

  private record Size(long elements, long steps, int height) {
    static final Size LEAF = new Size(1, 1, 0);
  }

  private final Limits limits;
  private final Work work;
  private final boolean off;
  private final IdentityHashMap<Object, Size> sizes = new IdentityHashMap<>();

  /** Steps of walking over the tables of those that have more than a few places. */
  private final IdentityHashMap<Object, Long> tables = new IdentityHashMap<>();

  private boolean settled;

  Expansion(Limits limits, Work work) {
    this.limits = limits;
    this.work = work;
    this.off = limits.of(Limit.EXPANSION) == Long.MAX_VALUE;
  }

  /**
   * Weighs an object that has been read.
   *
   * @param parts how many objects the stream had in it, over all levels
   * @param height the most that any of these has
   * @param places of the table that it has made, which are walked over even if they are empty
   */
  void read(@Nullable Object object, long parts, int height, long places)
      throws ObjectStreamException {
    if (off || object == null) {
      return;
    }
    if (places > PLACES_A_STEP) {
      tables.put(object, places / PLACES_A_STEP);
    }
    if (ElementVisitor.in(object.getClass())) {
      weigh(object, parts, height);
    } else if (height > 0 && object instanceof Comparator) { // one that wraps another
      checkHeight(1 + height, object.getClass());
      sizes.put(object, new Size(1, 1, 1 + height));
    }
  }

  private void weigh(Object object, long parts, int height) throws ObjectStreamException {
    checkHeight(1 + height, object.getClass());
    settled = true;
    Sum sum = walk(object);
    work.charge(Work.product(Math.max(0, sum.parts - parts), 1 + height), object.getClass());
    checkHeight(sum.height, object.getClass());
    if (settled) {
      long steps = Work.sum(sum.steps, Work.product(sum.parts, height));
      sizes.put(object, new Size(sum.elements, steps, Math.max(sum.height, 1 + height)));
    }
  }

  private void checkHeight(int height, Class<?> type) throws StreamLimitException {
    limits.check(Limit.DEPTH, height, "depth of nested collections, the outermost a ", type);
  }

  /** How many collections lie in one another in this one, itself included. */
  int height(Object object) {
    boolean compares = object instanceof Comparator;
    if (off || !(compares || ElementVisitor.in(object.getClass()))) {
      return 0;
    }
    Size known = sizes.get(object);
    return known != null ? known.height : compares ? 1 : 0;
  }

  /** Steps of the object's {@code hashCode}. */
  long steps(Object object) throws ObjectStreamException {
    if (!ElementVisitor.in(object.getClass())) {
      return Work.steps(object);
    }
    Size known = sizes.get(object);
    if (known != null) {
      return known.steps;
    }
    if (off) {
      return 1;
    }
    long steps = walk(object).steps;
    work.charge(steps, object.getClass());
    return steps;
  }

  /** Most steps of comparing the object with one of its kind. */
  long stepsToCompare(Object object) throws ObjectStreamException {
    return off ? steps(object) : Comparison.steps(object, this);
  }

  private Sum walk(Object object) throws ObjectStreamException {
    try {
      return new Sum(object, 0);
    } catch (RuntimeException e) { // a list in a list that is being read, a wrapper of null
      if (!settled) {
        throw circle(object.getClass());
      }
      InvalidObjectException broken =
          new InvalidObjectException(object.getClass().getName() + ": cannot be walked through");
      broken.initCause(e);
      throw broken;
    }
  }

  StreamLimitException circle(Class<?> type) {
    return new StreamLimitException(
        Limit.EXPANSION,
        limits.of(Limit.EXPANSION),
        "a "
            + type.getName()
            + " that contains itself, so that its hashCode has no end; if the stream is as it"
            + " should be, set maxExpansion(Long.MAX_VALUE)");
  }

  /** The size of one object, added up. */
  private final class Sum extends ElementVisitor {
    private final Class<?> whole;
    private final int depth;
    private long parts;
    private long elements = 1;
    private long steps = Work.STEPS_A_COLLECTION;
    private int height = 1;

    Sum(Object whole, int depth) throws ObjectStreamException {
      this.whole = whole.getClass();
      this.depth = depth;
      steps += tables.getOrDefault(whole, 0L);
      addAllOf(whole);
    }

    @Override
    void add(@Nullable Object element) throws ObjectStreamException {
      parts++;
      Size size = sizeOf(element);
      elements = Work.sum(elements, size.elements);
      steps = Work.sum(steps, size.steps);
      height = Math.max(height, 1 + size.height);
      limits.check(
          Limit.EXPANSION,
          elements,
          "elements, each counted every time it is reached, of a ",
          whole);
    }

    @Override
    void addKey(@Nullable Object key) throws ObjectStreamException {
      steps += STEPS_A_NODE;
      add(key);
    }

    private Size sizeOf(@Nullable Object element) throws ObjectStreamException {
      if (element == null) {
        return Size.LEAF;
      }
      if (!ElementVisitor.in(element.getClass())) {
        long steps = Work.steps(element);
        return steps == 1 ? Size.LEAF : new Size(1, steps, 0);
      }
      Size known = sizes.get(element);
      if (known != null) {
        return known;
      }
      settled = false;
      if (depth == DEEPEST) {
        throw circle(whole);
      }
      Sum walked = new Sum(element, depth + 1);
      work.charge(walked.steps, element.getClass());
      return new Size(walked.elements, walked.steps, walked.height);
    }
  }
}
