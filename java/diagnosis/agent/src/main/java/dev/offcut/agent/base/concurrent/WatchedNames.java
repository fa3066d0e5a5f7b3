package dev.offcut.agent.base.concurrent;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of what is watched, and which classes belong to it. A helper of {@link Closeables}: a
 * copy of it in java.base runs.
 */
final class WatchedNames {
  /**
   * Binary names of classes and interfaces whose hierarchies are watched; packages end in a dot,
   * and a class without those below it in an equals sign. The first is the agent's own class, which
   * leaves no stack.
   */
  static volatile String[] roots = {};

  /** Binary names of classes that are left out with those below them. */
  static volatile String[] wrappers = {};

  /** Binary names of classes whose objects do not count: what closes them is not seen. */
  private static final Set<String> LEFT_OUT = ConcurrentHashMap.newKeySet();

  /** What the libraries that make subclasses while a program runs put into their names. */
  private static final String[] SIGNS = {"$$", "$ByteBuddy$", "$HibernateProxy$", "$MockitoMock$"};

  private WatchedNames() {}

  /** Objects of a class of this name do not count: none was opened yet. */
  static void leaveOut(String name) {
    LEFT_OUT.add(name);
  }

  /** Whether objects of a class do not count. */
  static boolean isLeftOut(String name) {
    return LEFT_OUT.contains(name);
  }

  /** The name for people: of a class that was made while the program runs, that of its parent. */
  static String shown(Class<?> type) {
    Class<?> shown = type;
    Class<?> above = type.getSuperclass();
    while (above != null && isMade(shown) && isWatched(above)) {
      shown = above;
      above = shown.getSuperclass();
    }
    return shown.getName();
  }

  private static boolean isMade(Class<?> type) {
    if (type.isHidden() || type.isSynthetic()) {
      return true;
    }
    for (String sign : SIGNS) {
      if (type.getName().contains(sign)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class belongs to what is watched: what is nearest above it decides. */
  static boolean isWatched(Class<?> type) {
    for (Class<?> one = type; one != null; one = one.getSuperclass()) {
      if (isRoot(one, one == type)) {
        return true;
      }
      if (isOneOf(one.getName(), wrappers)) {
        return false;
      }
      if (hasRoot(one.getInterfaces())) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasRoot(Class<?>[] interfaces) {
    for (Class<?> one : interfaces) {
      if (isRoot(one, true) || hasRoot(one.getInterfaces())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRoot(Class<?> type, boolean itself) {
    String name = type.getName();
    for (String root : roots) {
      int last = root.length() - 1;
      if (switch (root.charAt(last)) {
        case '.' -> name.startsWith(root) && AutoCloseable.class.isAssignableFrom(type);
        case '=' -> itself && name.length() == last && root.startsWith(name);
        default -> name.equals(root);
      }) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOneOf(String name, String[] names) {
    for (String one : names) {
      if (name.equals(one)) {
        return true;
      }
    }
    return false;
  }
}
