package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.StatsText;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code offcut stats}. */
@Command(name = "stats", description = "Counts and bytes: by kind, by type of handle, by pool.")
final class StatsCommand extends SourceCommand {
  StatsCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  int say(Digest digest) {
    out.print(StatsText.of(digest, coloured()));
    return ExitCode.OK;
  }
}
