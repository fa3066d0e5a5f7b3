package dev.offcut.agent.base.concurrent;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The class that owns what was opened while it was made, as the program knows it: its name, and the
 * method that ends it.
 *
 * <p>A helper: it throws nothing. The agent's thread asks for the method, since that may load
 * classes.
 */
final class Owners {
  /** Methods without parameters that end an object, the likeliest first. */
  private static final String[] ENDERS = {
    "close",
    "shutdown",
    "dispose",
    "shutdownGracefully",
    "stop",
    "disconnect",
    "release",
    "destroy",
    "terminate",
    "cancel",
    "end",
    "shutdownNow"
  };

  private Owners() {}

  /** The class, or the nearest above it, that a program can name; null: there is none. */
  static @Nullable Class<?> known(Class<?> type) {
    Class<?> one = type;
    while (one != null && one != Object.class) {
      String name = one.getName();
      boolean isInner = one.getClassLoader() == null && !name.startsWith("java");
      if (Modifier.isPublic(one.getModifiers()) && !isInner && !name.startsWith("jdk.")) {
        return one;
      }
      one = one.getSuperclass();
    }
    return null;
  }

  /** The name, and the method in a second line, which is empty if there is none. */
  static String text(Class<?> type) {
    return type.getName() + "\n" + ender(type);
  }

  /**
   * The class of what a method returns, if all methods of that name return the same, and it can be
   * closed; else null.
   */
  static @Nullable Class<?> returned(Class<?> type, String method) {
    Class<?> returned = null;
    try {
      for (Method one : type.getDeclaredMethods()) {
        if (one.getName().equals(method) && !one.isBridge()) {
          if (returned != null && returned != one.getReturnType()) {
            return null;
          }
          returned = one.getReturnType();
        }
      }
    } catch (Throwable e) {
      return null; // a class that its methods name cannot be loaded
    }
    return returned == null || !isEnded(returned) ? null : known(returned);
  }

  /**
   * The class whose method the program called, if it is a library's and its objects are closed by
   * the program; else null. All methods of that name are of objects.
   */
  static @Nullable Class<?> receiver(Class<?> type, String method) {
    boolean isOfObjects = false;
    try {
      for (Method one : type.getDeclaredMethods()) {
        if (one.getName().equals(method)) {
          if (Modifier.isStatic(one.getModifiers())) {
            return null;
          }
          isOfObjects = true;
        }
      }
    } catch (Throwable e) {
      return null; // a class that its methods name cannot be loaded
    }
    return isOfObjects && type.getClassLoader() != null && isEnded(type) ? known(type) : null;
  }

  /** Whether the program ends such an object; a future, or a matcher, ends by itself. */
  private static boolean isEnded(Class<?> type) {
    String ender = type.getClassLoader() == null ? "" : ender(type);
    return AutoCloseable.class.isAssignableFrom(type)
        || (!ender.isEmpty() && !ender.equals("cancel") && !ender.equals("end"));
  }

  private static String ender(Class<?> type) {
    for (String one : ENDERS) {
      try {
        type.getMethod(one);
        return one;
      } catch (Throwable e) {
        // it has none, or a class that its methods name cannot be loaded
      }
    }
    return "";
  }
}
