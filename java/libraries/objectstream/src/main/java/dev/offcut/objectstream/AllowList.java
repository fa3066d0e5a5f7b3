package dev.offcut.objectstream;

import java.util.Set;
import java.util.TreeSet;

/**
 * Names of what may be in a stream. Immutable. Names, not classes: the loader given to a stream
 * says which class a name is.
 */
final class AllowList {
  /**
   * Lines begin so if they name an interface of proxies, or a class that lambdas are written in.
   */
  static final String PROXY = "proxy ";

  static final String LAMBDA = "lambda ";

  /** Ends a line that names a package. */
  static final String ALL_OF_PACKAGE = ".*";

  private final Set<String> classes;
  private final Set<String> packages;
  private final Set<String> proxies;
  private final Set<String> lambdas;

  AllowList(Set<String> classes, Set<String> packages, Set<String> proxies, Set<String> lambdas) {
    this.classes = Set.copyOf(classes);
    this.packages = Set.copyOf(packages);
    this.proxies = Set.copyOf(proxies);
    this.lambdas = Set.copyOf(lambdas);
  }

  /** Whether a class of this name, no array, may be used. */
  boolean allowsClass(String name) {
    if (name.equals(JdkTypes.LAMBDA)) {
      return !lambdas.isEmpty();
    }
    if (name.equals(JdkTypes.PROXY)) {
      return !proxies.isEmpty();
    }
    return JdkTypes.BASE.contains(name)
        || classes.contains(name)
        || proxies.contains(name)
        || lambdas.contains(name)
        || packages.contains(ClassName.packageOf(name));
  }

  /** Whether a proxy may have this interface. */
  boolean allowsProxy(String interfaceName) {
    return proxies.contains(interfaceName);
  }

  /** Whether lambdas that are written in this class may be used. */
  boolean allowsLambda(String capturingClass) {
    return lambdas.contains(capturingClass);
  }

  /** A line each, sorted, without the base set. The parser of {@link AllowListText} reads it. */
  Set<String> lines() {
    Set<String> lines = new TreeSet<>();
    for (String name : classes) {
      if (!JdkTypes.BASE.contains(name) && !proxies.contains(name) && !lambdas.contains(name)) {
        lines.add(name);
      }
    }
    packages.forEach(name -> lines.add(name + ALL_OF_PACKAGE));
    proxies.forEach(name -> lines.add(PROXY + name));
    lambdas.forEach(name -> lines.add(LAMBDA + name));
    return lines;
  }
}
