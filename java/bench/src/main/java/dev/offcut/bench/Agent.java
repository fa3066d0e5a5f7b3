package dev.offcut.bench;

import dev.offcut.bench.child.stream.IdleAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where Offcut's agent is. */
public final class Agent {
  /** For an agent that lies elsewhere. */
  public static final String PROPERTY = "offcut.agent";

  private static final String JAR = "offcut-agent.jar";

  private Agent() {}

  /** Null where it was not built. */
  public static @Nullable Path jar() {
    String named = System.getProperty(PROPERTY);
    Path jar = named == null ? target("agent").resolve(JAR) : Path.of(named);
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

  /** Where another module of this build has its jar. */
  public static Path target(String module) {
    return folder().resolve("../..").resolve(module).resolve("target").normalize();
  }

  /** What the class files or the jar of this program lie in. */
  private static Path folder() {
    return Jar.placeOf(Agent.class).resolve("..").normalize();
  }
}
