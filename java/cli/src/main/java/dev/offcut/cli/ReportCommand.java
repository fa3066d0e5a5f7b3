package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.DigestJson;
import dev.offcut.cli.report.ReportText;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code offcut report}. */
@Command(
    name = "report",
    description = "Everything that is known of a program: as text, JSON or a page.")
final class ReportCommand extends SourceCommand {
  @Option(names = "--json", description = "As JSON, offcut.report/1, on stdout.")
  private boolean json;

  ReportCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  int say(Digest digest) {
    if (json) {
      out.println(DigestJson.of(digest));
    } else {
      out.print(ReportText.of(digest, coloured()));
    }
    return ExitCode.OK;
  }
}
