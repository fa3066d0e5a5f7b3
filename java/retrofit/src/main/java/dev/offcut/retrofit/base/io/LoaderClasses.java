package dev.offcut.retrofit.base.io;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes that a class loader has answered with, by name. The loader holds it, so it dies with
 * the loader, and nothing else holds it for longer than a stream is being read.
 *
 * <p>Only what was found is kept. The JVM itself asks a loader once for each name it finds, and
 * each time for a name it does not find: this keeps the same counts.
 */
final class LoaderClasses {
  private static final Stock.LoaderValue KEY = new Stock.LoaderValue();

  final ClassLoader loader;
  private final ConcurrentHashMap<String, Class<?>> found = new ConcurrentHashMap<>();

  private LoaderClasses(ClassLoader loader) {
    this.loader = loader;
  }

  /** The one of a loader. */
  static LoaderClasses of(ClassLoader loader) {
    Object held = KEY.get(loader);
    if (held == null) {
      LoaderClasses made = new LoaderClasses(loader);
      Object first = KEY.putIfAbsent(loader, made);
      held = first == null ? made : first;
    }
    return (LoaderClasses) held;
  }

  /** The class of a name, if it was found before. */
  @Nullable Class<?> get(String name) {
    return found.get(name);
  }

  /** Keeps a class that the loader answered with. A security manager may answer otherwise later. */
  @SuppressWarnings("removal") // a JVM 17 or 21 may have one
  void put(Class<?> type) {
    if (System.getSecurityManager() == null) {
      found.put(type.getName(), type);
    }
  }
}
