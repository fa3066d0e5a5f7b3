package dev.offcut.command.run;

import dev.offcut.command.read.LeftRuns;
import dev.offcut.command.show.ProgramTable;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code offcut recordings}. */
@Command(
    name = "recordings",
    description =
        "Lists what runs left, the latest first: files in a folder, the temporary folders of runs"
            + " whose"
            + " command was killed, and the tables of programs that were killed.",
    footer = {"", "Without SRC, `offcut report` reads the first of these runs that has ended."})
public final class RecordingsCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "FOLDER",
      description =
          "The folder to search, in addition to the temporary folders (default: this" + " folder).")
  private Path folder = Path.of("");

  @Mixin
  @SuppressWarnings("unused") // picocli's
  private final HelpOption help = new HelpOption();

  private final PrintStream out;
  private final PrintStream err;

  public RecordingsCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() {
    List<LeftRuns.Left> all = LeftRuns.all(folder);
    if (all.isEmpty()) {
      err.println("offcut: no files of runs here");
    } else {
      out.print(ProgramTable.left(all.stream().map(LeftRuns::known).toList()));
    }
    return ExitCode.OK;
  }
}
