package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  @Option(
      names = "--watch",
      paramLabel = "CLASS[#METHOD]",
      description =
          "Count the objects of this class, and of those below it, that are not closed. CLASS may be an"
              + " interface. METHOD closes them; without it, close() does. May be given several times.")
  private List<String> watched = List.of();

  @Option(
      names = "--watch-package",
      paramLabel = "PACKAGE",
      description = "Likewise for each AutoCloseable in this package and in those below it.")
  private List<String> watchedPackages = List.of();

  @Option(
      names = "--rules",
      paramLabel = "on|off|FILE",
      description =
          "Count the objects of libraries that have to be closed: on, by the built-in rules"
              + " (`offcut rules` lists them); FILE, by the rules in it, too. Without it: off.")
  private @Nullable String rules;

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
    if (!watched.isEmpty()) {
      options.add("watch=" + String.join("+", watched));
    }
    if (!watchedPackages.isEmpty()) {
      options.add("watch.package=" + String.join("+", watchedPackages));
    }
    if (rules != null) {
      boolean isWord = rules.equals("on") || rules.equals("off");
      options.add("rules=" + (isWord ? rules : Path.of(rules).toAbsolutePath()));
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
