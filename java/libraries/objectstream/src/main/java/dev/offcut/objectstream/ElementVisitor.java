package dev.offcut.objectstream;

import java.io.ObjectStreamException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the {@code hashCode} and {@code equals} of an object go through, as far as that is known:
 * the elements of the JDK's collections, and the components of records. What other classes of the
 * program go through is not.
 */
abstract class ElementVisitor {
  private static final ClassValue<List<Field>> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> record) {
          return references(record);
        }
      };

  /** Whether objects of this class have elements. */
  static boolean in(Class<?> type) {
    if (type == String.class || type == Integer.class) { // most are
      return false;
    }
    return Record.class.isAssignableFrom(type)
        || (type.getClassLoader() == null
            && (Collection.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)
                || Map.Entry.class.isAssignableFrom(type)));
  }

  /** One element, a value of a map, or a component. */
  abstract void add(@Nullable Object element) throws ObjectStreamException;

  /** An element that is looked up, in sets and maps. */
  void addKey(@Nullable Object key) throws ObjectStreamException {
    add(key);
  }

  /** Adds what is in an object. */
  final void addAllOf(Object whole) throws ObjectStreamException {
    if (whole instanceof Set<?> set) {
      for (Object element : set) {
        addKey(element);
      }
    } else if (whole instanceof Collection<?> collection) {
      for (Object element : collection) {
        add(element);
      }
    } else if (whole instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        addKey(entry.getKey());
        add(entry.getValue());
      }
    } else if (whole instanceof Map.Entry<?, ?> entry) {
      add(entry.getKey());
      add(entry.getValue());
    } else {
      addComponents(whole);
    }
  }

  private void addComponents(Object record) throws ObjectStreamException {
    for (Field field : COMPONENTS.get(record.getClass())) {
      try {
        add(field.get(record));
      } catch (IllegalAccessException e) {
        throw new AssertionError(field + " was made accessible", e);
      }
    }
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
}
