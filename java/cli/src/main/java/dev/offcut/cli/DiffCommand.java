package dev.offcut.cli;

import dev.offcut.cli.report.DiffText;
import dev.offcut.cli.source.Failure;
import dev.offcut.cli.source.Reading;
import dev.offcut.cli.source.Sources;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code offcut diff}. */
@Command(
    name = "diff",
    description =
        "Shows what grew and what shrank between two recordings: of two runs, or of one program at"
            + " two times.")
final class DiffCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "BASE", description = "What to compare with.")
  private String base = "";

  @Parameters(index = "1", paramLabel = "NEW", description = "What to compare.")
  private String other = "";

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  private final PrintStream out;
  private final PrintStream err;

  DiffCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() throws Failure {
    Reading before = Sources.read(base);
    Reading after = Sources.read(other);
    out.print(DiffText.of(before.digest(), after.digest()));
    if (before.cutOff() || after.cutOff()) {
      err.println("offcut: the end of " + (before.cutOff() ? base : other) + " is missing");
      return Failure.UNREADABLE;
    }
    return ExitCode.OK;
  }
}
