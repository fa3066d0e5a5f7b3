package dev.offcut.test;

import java.io.IOException;
import java.io.InputStream;

/** Loads itself what has a name that begins so, and all else from the loader of the tests. */
public class OwnLoader extends ClassLoader {
  private final String prefix;

  /** With the beginning of the names of its own classes. */
  public OwnLoader(String prefix) {
    super(OwnLoader.class.getClassLoader());
    this.prefix = prefix;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      return name.startsWith(prefix) ? define(name) : super.loadClass(name, resolve);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (file == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = file.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
