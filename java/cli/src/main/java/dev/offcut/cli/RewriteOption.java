package dev.offcut.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** What the agent rewrites for speed, besides what it tracks: nothing that is not asked for. */
final class RewriteOption {
  /** As the agent's switches are called. */
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
              + " to make no garbage. Without it nothing is rewritten.")
  private List<Rewritten> what = List.of();

  /**
   * The agent's options: with a level it rewrites what is switched on, without one the rest too.
   */
  List<String> agentOptions(RunCommand.Level level) {
    List<String> options = new ArrayList<>(List.of("level=" + level));
    for (Rewritten one : Rewritten.values()) {
      if (what.contains(one)) {
        options.add(one + "=on");
      } else if (level == RunCommand.Level.off) {
        options.add(one + "=off");
      }
    }
    return options;
  }
}
