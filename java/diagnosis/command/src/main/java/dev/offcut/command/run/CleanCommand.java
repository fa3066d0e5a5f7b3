package dev.offcut.command.run;

import dev.offcut.command.read.Leftovers;
import dev.offcut.command.read.Leftovers.Leftover;
import dev.offcut.command.read.Temporary;
import dev.offcut.command.show.ProgramTable;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code offcut clean}. */
@Command(
    name = "clean",
    addMethodSubcommands = false,
    description =
        "Removes what killed commands and killed programs left in the folders for temporary files:"
            + " folders of runs, tables, heap dumps, unpacked libraries. It removes only files of"
            + " this user whose process has ended.",
    footer = {
      "",
      "`offcut ps` lists the runs among them, and `offcut report` reads them. Files that"
          + " `offcut run` wrote into your folders stay."
    })
public final class CleanCommand extends Word {
  @Option(names = "--dry-run", description = "Only list what would be removed.")
  private boolean dryRun;

  public CleanCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() {
    List<Leftover> removed = new ArrayList<>();
    int exitCode = ExitCode.OK;
    for (Leftover leftover : Leftovers.all()) {
      try {
        if (!dryRun) {
          Temporary.delete(leftover.path());
        }
        removed.add(leftover);
      } catch (IOException e) {
        err.println("offcut: cannot remove " + leftover.path() + ": " + e.getMessage());
        exitCode = ExitCode.SOFTWARE;
      }
    }
    if (removed.isEmpty()) {
      err.println("offcut: nothing to remove");
    } else {
      out.print(ProgramTable.leftovers(removed, dryRun, Instant.now()));
    }
    return exitCode;
  }
}
