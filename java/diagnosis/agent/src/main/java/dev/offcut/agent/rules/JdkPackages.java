package dev.offcut.agent.rules;

import java.util.ArrayList;
import java.util.List;

/**
 * A few packages of the JDK. All classes that are loaded at the start of a program are asked for,
 * some 700: so most are told apart by one character of their name, without a text of it or a hash.
 *
 * <p>Packages are added by one thread, before others ask.
 */
final class JdkPackages {
  /** With dots, and one at the end. */
  private final List<String> packages = new ArrayList<>();

  /** The same with slashes. */
  private final List<String> internal = new ArrayList<>();

  /** The place of the character that is looked at: each package is longer. */
  private int at = Integer.MAX_VALUE;

  /** Whether a package has this character there. */
  private boolean[] has = new boolean[128];

  /** Adds the package of a class, by its internal name. */
  void addThatOf(String name) {
    String one = name.substring(0, name.lastIndexOf('/') + 1);
    if (one.isEmpty() || internal.contains(one)) {
      return;
    }
    internal.add(one);
    packages.add(one.replace('/', '.'));
    at = Math.min(at, one.length() - 1);
    has = new boolean[128];
    for (String known : packages) {
      has[known.charAt(at) & 127] = true;
    }
  }

  /** Whether a class is in one of them, by internal name. */
  boolean contain(String name) {
    return isIn(name, internal, '/');
  }

  /** Whether a loaded class is in one of them. */
  boolean contain(Class<?> loaded) {
    String name = loaded.getName();
    return name.length() > at && has[name.charAt(at) & 127] && isIn(name, packages, '.');
  }

  private static boolean isIn(String name, List<String> all, char separator) {
    for (int i = 0; i < all.size(); i++) {
      String one = all.get(i);
      int last = one.length() - 1;
      if (name.length() > last
          && name.charAt(last) == separator
          && name.startsWith(one)
          && name.indexOf(separator, last + 1) < 0) {
        return true;
      }
    }
    return false;
  }
}
