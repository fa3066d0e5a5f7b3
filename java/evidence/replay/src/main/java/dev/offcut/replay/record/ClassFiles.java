package dev.offcut.replay.record;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * The class files of a program that ran: those of its JDK, and on its class path and module path. A
 * class that the program made itself, or that its own loaders found elsewhere, is not there.
 */
final class ClassFiles implements Closeable {
  private final @Nullable FileSystem jdk;
  private final List<Path> folders = new ArrayList<>();
  private final List<JarFile> jars = new ArrayList<>();

  /**
   * @param javaHome of the JVM that ran the program
   * @param paths of the program, each as a class path or a module path
   */
  ClassFiles(String javaHome, List<String> paths) {
    this.jdk = jdk(javaHome);
    for (String path : paths) {
      for (String entry : path.split(File.pathSeparator, -1)) {
        if (!entry.isEmpty()) {
          add(Path.of(entry));
        }
      }
    }
  }

  private static @Nullable FileSystem jdk(String home) {
    try {
      return FileSystems.newFileSystem(URI.create("jrt:/"), Map.of("java.home", home));
    } catch (IOException | IllegalArgumentException e) {
      return null; // a home without the modules file: its classes are not found
    }
  }

  private void add(Path entry) {
    if (Files.isDirectory(entry)) {
      folders.add(entry);
      modules(entry);
    } else if (Files.isRegularFile(entry)) {
      addJar(entry);
    }
  }

  /** A module path names folders of jars. */
  private void modules(Path folder) {
    try (var entries = Files.newDirectoryStream(folder, "*.jar")) {
      entries.forEach(this::addJar);
    } catch (IOException e) {
      // not readable: its classes are not found
    }
  }

  private void addJar(Path file) {
    if (jars.stream().anyMatch(jar -> jar.getName().equals(file.toString()))) {
      return;
    }
    try {
      JarFile jar = new JarFile(file.toFile(), false, JarFile.OPEN_READ, Runtime.version());
      jars.add(jar);
      Manifest manifest = jar.getManifest();
      String more =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      for (String entry : more == null ? new String[0] : more.split(" +", -1)) {
        if (!entry.isEmpty() && !entry.contains(":")) {
          add(file.resolveSibling(entry));
        }
      }
    } catch (IOException e) {
      // not a jar: the program could not read it either
    }
  }

  /** The class file of a class by its name, such as {@code java.lang.String}; null if none is. */
  byte @Nullable [] find(String className) {
    String file = className.replace('.', '/') + ".class";
    try {
      byte[] found = inJdk(className, file);
      return found == null ? onPaths(file) : found;
    } catch (IOException e) {
      return null;
    }
  }

  private byte @Nullable [] inJdk(String className, String file) throws IOException {
    int end = className.lastIndexOf('.');
    if (jdk == null || end < 0) {
      return null;
    }
    Path links = jdk.getPath("/packages/" + className.substring(0, end));
    if (!Files.isDirectory(links)) {
      return null;
    }
    try (var modules = Files.newDirectoryStream(links)) {
      for (Path module : modules) {
        Path found = jdk.getPath("/modules/" + module.getFileName() + "/" + file);
        if (Files.isRegularFile(found)) {
          return Files.readAllBytes(found);
        }
      }
    }
    return null;
  }

  private byte @Nullable [] onPaths(String file) throws IOException {
    for (Path folder : folders) {
      Path found = folder.resolve(file);
      if (Files.isRegularFile(found)) {
        return Files.readAllBytes(found);
      }
    }
    for (JarFile jar : jars) {
      var entry = jar.getJarEntry(file);
      if (entry != null) {
        try (var in = jar.getInputStream(entry)) {
          return in.readAllBytes();
        }
      }
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
    if (jdk != null) {
      jdk.close();
    }
  }
}
