package dev.offcut.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where Offcut's agent and the jars of this build are, and an agent that does nothing. */
public final class Agent {
  private Agent() {}

  /** The agent that counts; null where it was not built. */
  public static @Nullable Path jar() {
    return jar("diagnosis/agent", "offcut-agent.jar");
  }

  /** The agent that rewrites for speed; null where it was not built. */
  public static @Nullable Path retrofit() {
    return jar("retrofit", "offcut-retrofit.jar");
  }

  private static @Nullable Path jar(String module, String name) {
    Path jar = target(module).resolve(name);
    return Files.isRegularFile(jar) ? jar : null;
  }

  /** That a suite has no rows of it, since it was not built; and what to do. */
  public static String absence(String rows) {
    return rows + ": an agent was not built; `./offcut bench` builds it";
  }

  /** Writes the jar of an agent that does nothing: what any agent costs at the start. */
  public static void writeIdle(Path file) throws IOException {
    String name = IdleAgent.class.getName();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", name);
    String entry = name.replace('.', '/') + ".class";
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest);
        InputStream type = Agent.class.getResourceAsStream("/" + entry)) {
      jar.putNextEntry(new JarEntry(entry));
      Objects.requireNonNull(type).transferTo(jar);
    }
  }

  static final class IdleAgent {
    private IdleAgent() {}

    public static void premain(String options) {}
  }

  /** Where a module of this build, by its folder below java, has its jar. */
  public static Path target(String module) {
    return placeOf(Agent.class).resolve("../../../..").resolve(module + "/target").normalize();
  }

  /** The jar or the folder that a class is from. */
  public static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /** Has a folder for what children need and leave deleted when this JVM ends. */
  public static void deleteAtExit(Path folder) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "end of " + folder));
  }

  /** Deletes a folder with all that is in it, as far as that is possible. */
  public static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      // the system clears its folder of temporary files
    }
  }
}
