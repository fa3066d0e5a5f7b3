package dev.offcut.bench;

import dev.offcut.bench.objectstream.IdleAgent;
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
import org.jspecify.annotations.Nullable;

/** Where Offcut's agents are, and the jars that measurements write, agents among them. */
public final class Agent {
  /** For an agent that lies elsewhere. */
  public static final String PROPERTY = "offcut.agent";

  /** For a retrofit that lies elsewhere. */
  public static final String RETROFIT = "offcut.retrofit";

  private Agent() {}

  /** The agent that counts; null where it was not built. */
  public static @Nullable Path jar() {
    return jar(PROPERTY, "diagnosis/agent");
  }

  /** The agent that rewrites for speed; null where it was not built. */
  public static @Nullable Path retrofit() {
    return jar(RETROFIT, "retrofit");
  }

  private static @Nullable Path jar(String property, String module) {
    String named = System.getProperty(property);
    Path jar = named == null ? target(module).resolve("offcut-" + Path.of(module).getFileName() + ".jar") : Path.of(named);
    return Files.isRegularFile(jar) ? jar : null;
  }

  /** That a suite has no rows of it, since it was not built; and what to do. */
  public static String absence(String rows) {
    return rows + ": the agent was not built; -D" + PROPERTY + "=JAR says where it is";
  }

  /** Writes the jar of an agent that does nothing: what any agent costs at the start. */
  public static void writeIdle(Path file) throws IOException {
    try (Jar agent = new Jar(file, "Premain-Class: " + IdleAgent.class.getName() + "\n")) {
      agent.add(IdleAgent.class);
    }
  }

  /** Where a module of this build, by its folder below java, has its jar. */
  public static Path target(String module) {
    return folder().resolve("../../..").resolve(module).resolve("target").normalize();
  }

  /** What the class files or the jar of this program lie in. */
  private static Path folder() {
    return Jar.placeOf(Agent.class).resolve("..").normalize();
  }

  /** A jar that is being written. */
  public static final class Jar implements AutoCloseable {
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
      return Path.of(
          URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
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
}
