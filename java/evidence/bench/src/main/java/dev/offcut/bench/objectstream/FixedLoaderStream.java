package dev.offcut.bench.objectstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.util.Map;

/**
 * What a program can write by hand where one loader is all it has: no walk, and a class that was
 * found is not asked for again. It is the limit of what can be won, and no match for the stock
 * stream, whose loader depends on who reads. For one thread.
 */
final class FixedLoaderStream extends ObjectInputStream {
  private final ClassLoader loader;
  private final Map<String, Class<?>> known;

  private FixedLoaderStream(InputStream in, ClassLoader loader, Map<String, Class<?>> known)
      throws IOException {
    super(in);
    this.loader = loader;
    this.known = known;
  }

  /** All of them with one map, which is filled as they read. */
  static Streams of(ClassLoader loader, Map<String, Class<?>> known) {
    return in -> new FixedLoaderStream(in, loader, known);
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass desc)
      throws IOException, ClassNotFoundException {
    Class<?> type = known.get(desc.getName());
    if (type == null) {
      type = find(desc);
      known.put(desc.getName(), type);
    }
    return type;
  }

  private Class<?> find(ObjectStreamClass desc) throws IOException, ClassNotFoundException {
    try {
      return Class.forName(desc.getName(), false, loader);
    } catch (ClassNotFoundException e) {
      return super.resolveClass(desc); // the primitive types
    }
  }
}
