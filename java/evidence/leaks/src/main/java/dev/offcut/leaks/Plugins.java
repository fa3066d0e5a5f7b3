package dev.offcut.leaks;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Each reload of a plugin makes a class loader; a list of listeners keeps those before. */
public final class Plugins {
  private static final int RELOADS = 150;
  private static final List<Object> LISTENERS = new ArrayList<>();

  private Plugins() {}

  public static void main(String[] args) throws Exception {
    boolean fixed = args[0].equals("fixed");
    URL[] jars = jars();
    Observer.begin();
    for (int i = 0; i < RELOADS; i++) {
      URLClassLoader loader = reload(jars);
      Object listener =
          loader.loadClass("com.zaxxer.hikari.HikariConfig").getConstructor().newInstance();
      if (fixed) {
        loader.close();
      } else {
        LISTENERS.add(listener);
      }
    }
    Observer.end();
  }

  /** They are beside the classes of the collection. */
  private static URL[] jars() throws Exception {
    Path classes =
        Path.of(Plugins.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(classes.resolveSibling("lib-plugin"))) {
      for (Path file : files.toList()) {
        jars.add(file.toUri().toURL());
      }
    }
    return jars.toArray(URL[]::new);
  }

  private static URLClassLoader reload(URL[] jars) {
    return new URLClassLoader(jars, null); // the leak
  }
}
