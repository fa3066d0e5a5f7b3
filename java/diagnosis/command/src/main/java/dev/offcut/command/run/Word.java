package dev.offcut.command.run;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Option;

/** A word of the command: its result goes to {@code out}, all else that it says to {@code err}. */
abstract class Word implements Callable<Integer> {
  final PrintStream out;
  final PrintStream err;

  /** Where options are not sorted, it is the last. */
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      order = 1,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  Word(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }
}
