package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import dev.offcut.cli.source.HeapDump;
import dev.offcut.cli.source.HeapDump.Held;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Option;

/** Options for who asks what holds open resources. */
final class HoldersOption {
  @Option(
      names = "--holders",
      description =
          "Also say what holds open resources: the path from a thread or a static field. It needs a"
              + " heap dump, which stops the program. The command first says for how long.")
  private boolean asked;

  @Option(
      names = "--longest-stop",
      paramLabel = "SECONDS",
      description =
          "For --holders: the longest time that a heap dump may stop the program. If it may take"
              + " longer, no dump is made (default: ${DEFAULT-VALUE}).")
  private double longest = 10;

  boolean isAsked() {
    return asked;
  }

  /** {@code used}: bytes of the JVM's heap. */
  List<Held> of(long pid, long used, PrintStream err) throws Failure {
    return HeapDump.holders(pid, used, longest, err);
  }
}
