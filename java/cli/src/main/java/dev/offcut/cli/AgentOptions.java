package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the agent is told, and where its jar is. */
final class AgentOptions {
  /** Where the jar lies: the launcher says so. */
  private static final String PROPERTY = "offcut.agent.jar";

  /** What the agent records: the less, the cheaper. */
  enum Level {
    off,
    count,
    sample,
    full
  }

  /** What it rewrites for speed, besides what it tracks, as its switches are called. */
  enum Rewritten {
    streams,
    jna
  }

  @Option(
      names = "--rewrite",
      split = ",",
      paramLabel = "streams,jna",
      description =
          "Let the agent rewrite classes, too: object streams, to walk the stack less; JNA's Memory,"
              + " to make less garbage. Without it, classes are changed only to count.")
  private List<Rewritten> what = List.of();

  /**
   * The agent's options: with a level it rewrites what is switched on, without one the rest too.
   */
  List<String> options(Level level) {
    List<String> options = new ArrayList<>(List.of("level=" + level));
    for (Rewritten one : Rewritten.values()) {
      if (what.contains(one)) {
        options.add(one + "=on");
      } else if (level == Level.off) {
        options.add(one + "=off");
      }
    }
    return options;
  }

  /** The agent. */
  static Path jar() throws Failure {
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
