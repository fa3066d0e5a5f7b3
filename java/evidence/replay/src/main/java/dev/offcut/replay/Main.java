package dev.offcut.replay;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;

/**
 * The program that {@code offcut replay} starts; {@link ReplayCommand} has its options.
 *
 * <p>The result goes to stdout, all else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
public final class Main {
  private Main() {}

  /** Runs, and ends the JVM with the exit code. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  static int run(PrintStream out, PrintStream err, String... args) {
    return new CommandLine(new ReplayCommand(out))
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler((e, given) -> misused(err, e))
        .execute(args);
  }

  private static int misused(PrintStream err, ParameterException e) {
    err.println("offcut: " + e.getMessage());
    err.println("`offcut replay --help` lists the options.");
    return ExitCode.USAGE;
  }
}
