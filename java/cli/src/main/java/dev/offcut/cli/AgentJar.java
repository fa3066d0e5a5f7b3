package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the agent lies: the launcher says so in a system property. */
final class AgentJar {
  private static final String PROPERTY = "offcut.agent.jar";

  private AgentJar() {}

  static Path path() throws Failure {
    Path jar = Path.of(System.getProperty(PROPERTY, "offcut-agent.jar")).toAbsolutePath();
    if (!Files.isReadable(jar)) {
      throw Failure.other(
          "the agent is not at "
              + jar
              + "; start this as ./offcut, or say where with -D"
              + PROPERTY);
    }
    return jar;
  }
}
