package dev.offcut.cli;

import dev.offcut.cli.report.ProgramTable;
import dev.offcut.cli.source.Jvm;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code offcut ps}. */
@Command(
    name = "ps",
    description = "The JVMs of this user, and whether the agent is in them. It runs nothing there.")
final class PsCommand implements Callable<Integer> {
  @Option(names = "--json", description = "As JSON, offcut.ps/1, on stdout.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  private final PrintStream out;
  private final PrintStream err;

  PsCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() {
    List<Jvm.Listed> jvms = Jvm.list();
    if (json) {
      out.println(ProgramTable.json(jvms));
    } else if (jvms.isEmpty()) {
      err.println("offcut: no JVM of this user runs");
    } else {
      out.print(ProgramTable.text(jvms));
    }
    return ExitCode.OK;
  }
}
