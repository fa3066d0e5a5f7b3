package dev.offcut.objectstream;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How large each collection is when what it shares is counted as often as it is reached. That is
 * what {@code hashCode} of a set of sets of sets costs, which a short stream can make endless.
 *
 * <p>{@code size(c) = 1 + sum of size(e) over the elements e}, where an element that is neither a
 * collection of the JDK nor a record counts 1. A collection is weighed when it has been read,
 * before the object around it gets it. Sizes are kept, except where an element has none: that one
 * is still being read and may grow, or a record's constructor made it. Such elements are walked
 * each time.
 *
 * <p>Not known is what the hashCode of other classes of the program walks through.
 */
final class Expansion {
  private static final ClassValue<List<Field>> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> record) {
          return references(record);
        }
      };

  /** A walk deeper than this is in a circle, or would overflow the stack of {@code hashCode}. */
  private static final int DEEPEST = 500;

  private final Limits limits;
  private final boolean off;
  private final IdentityHashMap<Object, Long> sizes = new IdentityHashMap<>();
  private boolean settled;

  Expansion(Limits limits) {
    this.limits = limits;
    this.off = limits.of(Limit.EXPANSION) == Long.MAX_VALUE;
  }

  /** Weighs an object that has been read. */
  void read(@Nullable Object object) throws ObjectStreamException {
    if (off || object == null || !hasElements(object)) {
      return;
    }
    try {
      settled = true;
      long size = new Sum(object, 0).total;
      if (settled) {
        sizes.put(object, size);
      }
    } catch (RuntimeException e) { // a list in a list that is being read, a wrapper of null
      if (!settled) {
        throw circle(object);
      }
      InvalidObjectException broken =
          new InvalidObjectException(object.getClass().getName() + ": cannot be walked through");
      broken.initCause(e);
      throw broken;
    }
  }

  private StreamLimitException circle(Object object) {
    return new StreamLimitException(
        Limit.EXPANSION,
        limits.of(Limit.EXPANSION),
        "a "
            + object.getClass().getName()
            + " that contains itself, so that its hashCode has no end; if the stream is as it"
            + " should be, set maxExpansion(Long.MAX_VALUE)");
  }

  private static boolean hasElements(Object object) {
    return object instanceof Record
        || ((object instanceof Collection || object instanceof Map || object instanceof Map.Entry)
            && object.getClass().getClassLoader() == null);
  }

  /** Record components that are no primitives, as far as this module may look at them. */
  private static List<Field> references(Class<?> record) {
    List<Field> fields = new ArrayList<>();
    for (Field field : record.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())
          && !field.getType().isPrimitive()
          && field.trySetAccessible()) {
        fields.add(field);
      }
    }
    return fields;
  }

  /** The size of one object, added up. */
  private final class Sum {
    private final Object whole;
    private final int depth;
    private long total = 1;

    Sum(Object whole, int depth) throws StreamLimitException {
      this.whole = whole;
      this.depth = depth;
      if (whole instanceof Collection<?> collection) {
        for (Object element : collection) {
          add(element);
        }
      } else if (whole instanceof Map<?, ?> map) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          add(entry.getKey());
          add(entry.getValue());
        }
      } else if (whole instanceof Map.Entry<?, ?> entry) {
        add(entry.getKey());
        add(entry.getValue());
      } else {
        addComponents();
      }
    }

    private void addComponents() throws StreamLimitException {
      for (Field field : COMPONENTS.get(whole.getClass())) {
        try {
          add(field.get(whole));
        } catch (IllegalAccessException e) {
          throw new AssertionError(field + " was made accessible", e);
        }
      }
    }

    private void add(@Nullable Object element) throws StreamLimitException {
      total += size(element);
      limits.check(
          Limit.EXPANSION,
          total,
          "elements of a " + whole.getClass().getName() + ", shared ones each time");
    }

    private long size(@Nullable Object element) throws StreamLimitException {
      if (element == null || !hasElements(element)) {
        return 1;
      }
      Long known = sizes.get(element);
      if (known != null) {
        return known;
      }
      settled = false;
      if (depth == DEEPEST) {
        throw circle(whole);
      }
      return new Sum(element, depth + 1).total;
    }
  }
}
