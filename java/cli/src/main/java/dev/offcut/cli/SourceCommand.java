package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.source.Failure;
import dev.offcut.cli.source.Reading;
import dev.offcut.cli.source.Sources;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A word that reads a source and says something about it. */
abstract class SourceCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "SRC",
      description = "The PID of a program, a recording, or a directory of recordings.")
  private String source = "";

  @Option(names = "--no-color", description = "No colours, also on a terminal.")
  private boolean plain;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  final PrintStream out;
  final PrintStream err;

  SourceCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Refuses what cannot be done, before the source is read. */
  void check() throws Failure {}

  /** Says it, and returns the exit code unless the source was cut off. */
  abstract int say(Digest digest) throws Failure;

  final boolean coloured() {
    return !plain && Terminal.hasColour();
  }

  @Override
  public Integer call() throws Failure {
    check();
    Reading reading = Sources.read(source);
    int exitCode = say(reading.digest());
    if (reading.cutOff()) {
      err.println("offcut: the end of " + source + " is missing; what could be read is shown");
    }
    return reading.cutOff() && exitCode == ExitCode.OK ? Failure.UNREADABLE : exitCode;
  }
}
