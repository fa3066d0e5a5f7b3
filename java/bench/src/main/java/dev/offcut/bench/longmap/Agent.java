package dev.offcut.bench.longmap;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the agent is that puts Offcut's map into JNA. */
final class Agent {
  /** For an agent that lies elsewhere. */
  static final String PROPERTY = "offcut.agent";

  /** Seen from the folder that the class files or the jar of this program lie in. */
  private static final String BESIDE = "../../agent/target/offcut-agent.jar";

  private Agent() {}

  /** Null where it was not built. */
  static @Nullable Path jar() {
    String named = System.getProperty(PROPERTY);
    Path jar = named == null ? folder().resolve(BESIDE).normalize() : Path.of(named);
    return Files.isRegularFile(jar) ? jar : null;
  }

  private static Path folder() {
    URI own =
        URI.create(Agent.class.getProtectionDomain().getCodeSource().getLocation().toString());
    return Path.of(own).resolve("..").normalize();
  }
}
