package dev.offcut.objectstream;

import java.io.Serializable;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashSet;
import java.util.Set;

/** Types that name other types by themselves: superclasses, sealed hierarchies, records. */
final class ClosedTypes {
  private final Set<String> names;
  private final Set<Class<?>> followed = new HashSet<>();

  /** Adds to {@code names}. */
  ClosedTypes(Set<String> names) {
    this.names = names;
  }

  /** The class, or what an array of it is made of, and its serializable superclasses. */
  void add(Class<?> type) {
    Class<?> element = ClassName.element(type);
    if (element.isHidden()) {
      throw new IllegalArgumentException(
          element.getName()
              + ": a hidden class has no name in a stream; for a lambda, use allowLambdas(…) with"
              + " the class that it is written in");
    }
    if (!element.isPrimitive()) {
      names.add(element.getName());
    }
    Class<?> above = element.getSuperclass();
    while (above != null && Serializable.class.isAssignableFrom(above)) {
      names.add(above.getName());
      above = above.getSuperclass();
    }
  }

  /** A sealed type and all that it permits. What extends a non-sealed one of them is not in it. */
  void addSealed(Class<?> root) {
    if (!root.isSealed()) {
      throw new IllegalArgumentException(
          root.getName()
              + ": is not sealed, so nobody knows what extends it; name the classes, with"
              + " allow(…)");
    }
    follow(root);
  }

  /** A record and the types of its components, as far as these are closed types too. */
  void addRecord(Class<?> record) {
    if (!record.isRecord()) {
      throw new IllegalArgumentException(
          record.getName() + ": is not a record; name it with allow(…)");
    }
    follow(record);
  }

  private void follow(Class<?> type) {
    if (!followed.add(type)) {
      return;
    }
    add(type);
    if (type.isRecord()) {
      for (RecordComponent component : type.getRecordComponents()) {
        addClosed(component.getGenericType());
      }
    } else if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        follow(permitted);
      }
    }
  }

  private void addClosed(Type type) {
    if (type instanceof Class<?> named) {
      addClosed(named);
    } else if (type instanceof ParameterizedType parameterized) {
      addClosed(parameterized.getRawType());
      for (Type argument : parameterized.getActualTypeArguments()) {
        addClosed(argument);
      }
    } else if (type instanceof GenericArrayType array) {
      addClosed(array.getGenericComponentType());
    } else if (type instanceof WildcardType wildcard) {
      for (Type bound : wildcard.getUpperBounds()) {
        addClosed(bound);
      }
    }
  }

  private void addClosed(Class<?> named) {
    Class<?> type = ClassName.element(named);
    if (isOfTheProgram(type)
        && (type.isRecord() || type.isSealed() || Modifier.isFinal(type.getModifiers()))) {
      follow(type); // an enum is final, or sealed if its constants have bodies
    }
  }

  /** The JDK's classes come by groups. */
  private static boolean isOfTheProgram(Class<?> type) {
    return type.getClassLoader() != null;
  }
}
