package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.LeaksText;
import dev.offcut.cli.source.Failure;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code offcut leaks}. */
@Command(
    name = "leaks",
    description = "What nobody closed: what is lost, and handles that were forgotten.")
final class LeaksCommand extends SourceCommand {
  /** What the text is sorted by. */
  enum By {
    kind,
    site
  }

  @Option(
      names = "--by",
      paramLabel = "kind|site",
      description = "One entry for each kind, or for each place (default: ${DEFAULT-VALUE}).")
  private By by = By.kind;

  @Option(names = "--fail-on-leak", description = "Exit code 3 if there is any.")
  private boolean failOnLeak;

  LeaksCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  int say(Digest digest) {
    out.print(
        by == By.site
            ? LeaksText.bySite(digest, coloured())
            : LeaksText.byKind(digest, coloured()));
    return failOnLeak && digest.hasLeaks() ? Failure.FINDINGS : ExitCode.OK;
  }
}
