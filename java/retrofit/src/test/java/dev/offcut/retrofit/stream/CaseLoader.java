package dev.offcut.retrofit.stream;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A class loader that has classes of its own, knows others' and does not see some. */
class CaseLoader extends ClassLoader {
  private static final Map<String, byte[]> FILES = new ConcurrentHashMap<>();

  private final Set<String> own;
  private final Set<String> hidden = new HashSet<>();
  private final Map<String, ClassLoader> others = new HashMap<>();
  private final Map<String, Integer> asked = new HashMap<>();

  CaseLoader(String name, Class<?>... own) {
    super(name, CaseLoader.class.getClassLoader());
    this.own = names(own);
  }

  private static Set<String> names(Class<?>... types) {
    Set<String> names = new HashSet<>();
    for (Class<?> type : types) {
      names.add(type.getName());
    }
    return names;
  }

  /** Does not see classes. */
  CaseLoader without(Class<?>... types) {
    hidden.addAll(names(types));
    return this;
  }

  /** Takes classes from another loader. */
  CaseLoader with(ClassLoader other, Class<?>... types) {
    names(types).forEach(name -> others.put(name, other));
    return this;
  }

  /** How often the JVM asked for a name. */
  synchronized int asked(Class<?> type) {
    return asked.getOrDefault(type.getName(), 0);
  }

  @Override
  protected synchronized Class<?> loadClass(String name, boolean resolve)
      throws ClassNotFoundException {
    asked.merge(name, 1, Integer::sum);
    Class<?> loaded = findLoadedClass(name);
    if (loaded != null) {
      return loaded;
    }
    if (hidden.contains(name)) {
      throw new ClassNotFoundException(name + " in " + getName());
    }
    ClassLoader other = others.get(name);
    if (other != null) {
      return other.loadClass(name);
    }
    if (!own.contains(name)) {
      return super.loadClass(name, resolve);
    }
    byte[] file = file(name);
    return defineClass(name, file, 0, file.length);
  }

  private static byte[] file(String name) {
    return FILES.computeIfAbsent(name, CaseLoader::readFile);
  }

  private static byte[] readFile(String name) {
    String path = "/" + name.replace('.', '/') + ".class";
    try (InputStream file = CaseLoader.class.getResourceAsStream(path)) {
      return file.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
