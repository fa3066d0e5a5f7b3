package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.DigestJson;
import dev.offcut.cli.report.HtmlReport;
import dev.offcut.cli.report.ReportText;
import dev.offcut.cli.source.Failure;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offcut report}. */
@Command(
    name = "report",
    description = "Everything that is known of a program: as text, JSON or a page.")
final class ReportCommand extends SourceCommand {
  @Option(names = "--json", description = "As JSON, offcut.report/1, on stdout.")
  private boolean json;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.html",
      description = "Write it as a page, which is one file and needs no network.")
  private @Nullable Path output;

  @Option(
      names = {"-f", "--force"},
      description = "Overwrite an existing file.")
  private boolean force;

  @Mixin private final RedactOption redact = new RedactOption();

  ReportCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  void check() throws Failure {
    if (output != null) {
      new OutputFile(output, force).check();
    }
  }

  @Override
  int say(Digest given) throws Failure {
    Digest digest = redact.apply(given);
    if (output != null) {
      new OutputFile(output, force).write(HtmlReport.of(digest));
      err.println("offcut: wrote " + output);
    }
    if (json) {
      out.println(DigestJson.of(digest));
    } else if (output == null) {
      out.print(ReportText.of(digest, coloured()));
    }
    return ExitCode.OK;
  }
}
