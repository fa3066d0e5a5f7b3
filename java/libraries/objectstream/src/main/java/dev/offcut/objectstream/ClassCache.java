package dev.offcut.objectstream;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Classes by name, for each loader that a policy has been used with. Keeps neither loaders nor
 * classes reachable. Only what was found is kept: a loader may find tomorrow what it does not find
 * today, and the names of a stream are not ours to collect. Safe for all threads.
 */
final class ClassCache {
  /** Guarded by itself. The null key stands for the bootstrap loader. */
  private final Map<@Nullable ClassLoader, Names> loaders = new WeakHashMap<>();

  /** The names as this loader knows them. */
  OfLoader of(@Nullable ClassLoader loader) {
    synchronized (loaders) {
      Names names = loaders.get(loader);
      if (names == null) {
        names = new Names();
        loaders.put(loader, names);
      }
      return new OfLoader(loader, names);
    }
  }

  /** Does not refer to its loader. */
  private static final class Names {
    private final Map<String, WeakReference<Class<?>>> found = new ConcurrentHashMap<>();
  }

  /** What a stream resolves names with. */
  static final class OfLoader {
    private final @Nullable ClassLoader loader;
    private final Names names;

    private OfLoader(@Nullable ClassLoader loader, Names names) {
      this.loader = loader;
      this.names = names;
    }

    @Nullable ClassLoader loader() {
      return loader;
    }

    /** The class, not initialized by this. */
    Class<?> find(ClassName name) throws ClassNotFoundException {
      Class<?> primitive = name.primitive();
      return name.arrayOf(primitive != null ? primitive : find(name.element()));
    }

    /** A class that is neither primitive nor an array. */
    Class<?> find(String element) throws ClassNotFoundException {
      WeakReference<Class<?>> known = names.found.get(element);
      Class<?> type = known == null ? null : known.get();
      if (type == null) {
        type = load(element);
        names.found.put(element, new WeakReference<>(type));
      }
      return type;
    }

    private Class<?> load(String element) throws ClassNotFoundException {
      try {
        return Class.forName(element, false, loader);
      } catch (LinkageError e) { // such as a name in another case, on a disk that takes both
        throw new ClassNotFoundException(
            ClassName.printable(element)
                + ": the loader found a class file of this name, but the JVM cannot load it",
            e);
      }
    }
  }
}
