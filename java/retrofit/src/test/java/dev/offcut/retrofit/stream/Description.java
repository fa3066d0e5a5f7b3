package dev.offcut.retrofit.stream;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was read, in words: each class with the name of its loader. */
final class Description {
  private Description() {}

  /** An object with all that it holds. */
  static String of(@Nullable Object object) {
    StringBuilder line = new StringBuilder();
    describe(object, line, new IdentityHashMap<>());
    return line.toString();
  }

  /** An exception with its causes. */
  static String problem(Throwable e) {
    Throwable cause = e.getCause();
    return e.getClass().getName()
        + " "
        + e.getMessage()
        + (cause == null ? "" : " because of " + problem(cause));
  }

  /** A class. */
  static String type(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    ClassLoader loader = element.getClassLoader();
    String name = Proxy.isProxyClass(type) ? "proxy" : type.getName();
    return name + "@" + (loader == null ? "boot" : loader.getName());
  }

  private static void describe(
      @Nullable Object object, StringBuilder line, Map<Object, Object> seen) {
    if (object == null || object instanceof String || object instanceof Number) {
      line.append(object);
      return;
    }
    if (object instanceof Class<?> type) {
      line.append("class ").append(type(type));
      return;
    }
    line.append(type(object.getClass()));
    if (seen.put(object, object) != null) {
      return;
    }
    if (object instanceof Object[] array) {
      describeAll(Arrays.asList(array), line, seen);
    } else if (object instanceof Iterable<?> list) {
      describeAll(list, line, seen);
    } else if (object instanceof Map<?, ?> map) {
      describeAll(map.keySet(), line, seen);
      describeAll(map.values(), line, seen);
    } else {
      describeFields(object, line, seen);
    }
  }

  private static void describeAll(Iterable<?> parts, StringBuilder line, Map<Object, Object> seen) {
    line.append('[');
    try {
      for (Object part : parts) {
        line.append(' ');
        describe(part, line, seen);
      }
    } catch (RuntimeException e) {
      // One that is not read to its end, as a list without its array.
      line.append(" half read, ").append(e.getClass().getName());
    }
    line.append(" ]");
  }

  private static void describeFields(Object object, StringBuilder line, Map<Object, Object> seen) {
    for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
      if (!type.getName().startsWith("dev.offcut.")) {
        return;
      }
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !field.getType().isPrimitive()
            && field.trySetAccessible()) {
          line.append(' ').append(field.getName()).append('=');
          try {
            describe(field.get(object), line, seen);
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
  }
}
