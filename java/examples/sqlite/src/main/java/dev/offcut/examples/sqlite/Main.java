package dev.offcut.examples.sqlite;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

/**
 * The program that {@code offcut run} starts; {@link RunCommand} has its options.
 *
 * <p>The result goes to stdout, everything else to stderr. The exit codes are 0 for done, 1 for
 * failed (one line says why), 2 for wrong usage, and 130 for an interrupt by Ctrl-C, with a report.
 */
public final class Main {
  private Main() {}

  /** Runs the program, and ends the JVM with the exit code. */
  public static void main(String[] args) {
    Interrupt interrupt = Interrupt.onSignal();
    int code = ExitCode.SOFTWARE;
    try {
      code = run(new FileOutputStream(FileDescriptor.out), System.err, interrupt, args);
    } finally {
      interrupt.finish();
    }
    System.exit(code); // after a signal this waits, and the JVM ends with the signal's code
  }

  /** Runs, and returns the exit code. */
  static int run(OutputStream out, PrintStream err, Interrupt interrupt, String... args) {
    CommandLine command =
        new CommandLine(new RunCommand(out, err, interrupt))
            .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((e, given) -> misused(err, e))
            .setExecutionExceptionHandler((e, run, parsed) -> failed(err, e));
    try {
      return command.execute(args);
    } catch (UnsatisfiedLinkError e) {
      return failed(err, e);
    } catch (OutOfMemoryError e) {
      err.println(
          "offcut: the Java heap is full; import fewer rows, or set JAVA_TOOL_OPTIONS=-Xmx8g");
      return ExitCode.SOFTWARE;
    }
  }

  private static int misused(PrintStream err, ParameterException e) {
    err.println("offcut: " + e.getMessage());
    err.println("`offcut run --help` lists the options.");
    return ExitCode.USAGE;
  }

  /** One line for what a user can mend; the whole trace for what is a bug here. */
  private static int failed(PrintStream err, Throwable e) {
    if (e instanceof BadInput || e instanceof UnsatisfiedLinkError) {
      err.println("offcut: " + e.getMessage());
    } else {
      e.printStackTrace(err);
    }
    return ExitCode.SOFTWARE;
  }
}
