package dev.offcut.bench;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** A jar that is being written. */
public final class Jar implements AutoCloseable {
  private final JarOutputStream out;

  /** With lines of the manifest, each ending in a line feed. */
  public Jar(Path file, String manifest) throws IOException {
    String text = "Manifest-Version: 1.0\n" + manifest;
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out =
        new JarOutputStream(
            Files.newOutputStream(file), new Manifest(new ByteArrayInputStream(bytes)));
  }

  /** Adds a class by its binary name. */
  public void add(String className, byte[] file) throws IOException {
    out.putNextEntry(new JarEntry(className.replace('.', '/') + ".class"));
    out.write(file);
    out.closeEntry();
  }

  /** Adds a copy of one class. */
  public void add(Class<?> type) throws IOException {
    String file = type.getSimpleName() + ".class";
    try (var in = type.getResourceAsStream(file)) {
      if (in == null) {
        throw new IOException("no class file of " + type.getName());
      }
      add(type.getName(), in.readAllBytes());
    }
  }

  /** The jar or the folder that a class is from. */
  public static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** Adds copies of all class files in the jar or folder that a class is from, but a module's. */
  public void addAllBeside(Class<?> type) throws IOException {
    Path path = placeOf(type);
    if (Files.isDirectory(path)) {
      addAllIn(path);
    } else {
      try (FileSystem entries = FileSystems.newFileSystem(path)) {
        addAllIn(entries.getPath("/"));
      }
    }
  }

  private void addAllIn(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    for (Path file : files) {
      String name = root.relativize(file).toString().replace('\\', '/');
      if (!name.equals("module-info.class")) {
        out.putNextEntry(new JarEntry(name));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
