package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.concurrent.Stock.Libraries;
import java.io.File;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads a native library for the agent's classes as the JVM does it behind {@code System.load},
 * which on JDK 24 and newer would print a warning where the program prints, or refuse.
 */
public final class NativeLoader {
  /** With it a library would be unloaded. */
  private static final List<Libraries> LOADED = new ArrayList<>(1);

  private NativeLoader() {}

  /** Loads one for a class. False if there is no such file. */
  public static synchronized boolean load(Class<?> from, File file) {
    Libraries libraries;
    try {
      libraries = Libraries.newInstance(from.getClassLoader());
    } catch (NoSuchMethodError e) {
      libraries = Libraries.jniNativeLibraries(from.getClassLoader());
    }
    LOADED.add(libraries);
    return libraries.loadLibrary(from, file) != null;
  }
}
