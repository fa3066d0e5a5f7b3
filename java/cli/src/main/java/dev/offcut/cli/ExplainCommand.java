package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.ExplainText;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;

/** {@code offcut explain}. */
@Command(
    name = "explain",
    description = "Shows where resident memory is, and how much of it is unexplained.")
final class ExplainCommand extends SourceCommand {
  ExplainCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  int say(Digest digest) {
    out.print(ExplainText.of(digest, coloured()));
    return ExitCode.OK;
  }
}
