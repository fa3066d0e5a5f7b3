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
   * What a program has after a call: what the method returns, if all methods of that name return
   * the same, and it can be closed; or else the object whose method it is, if it is a library's and
   * can be ended. Null: nothing.
   */
  static @Nullable Class<?> known(Class<?> type, String method, @Nullable Class<?> receiver) {
    Class<?> returned = null;
    boolean isOfObject = receiver != null && receiver.getClassLoader() != null;
    try {
      for (Method one : type.getDeclaredMethods()) {
        if (one.getName().equals(method) && !one.isBridge()) {
          if (returned != null && returned != one.getReturnType()) {
            return null;
          }
          returned = one.getReturnType();
          isOfObject &= !Modifier.isStatic(one.getModifiers());
        }
      }
    } catch (Throwable e) {
      return null; // a class that its methods name cannot be loaded
    }
    if (returned == null) {
      return null; // a constructor
    }
    if (AutoCloseable.class.isAssignableFrom(returned)) {
      return known(returned);
    }
    Class<?> its = isOfObject && receiver != null ? known(receiver) : null;
    return its == null || ender(its).isEmpty() ? null : its;
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
