package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The program behind {@code offcut run}, {@code report}, {@code leaks} and their like; each word is
 * a class.
 *
 * <p>The result goes to stdout, all else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3
 * something leaks and that was to be a failure, 4 no such program, 5 a recording that cannot be
 * read in full; {@code run} has the program's own, and 125 to 127.
 */
public final class Main {
  /** Columns. */
  private static final int HELP_WIDTH = 100;

  private Main() {}

  /** Runs, and ends the JVM with the exit code. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    int exitCode = run(out, err, args);
    out.flush(); // into a broken pipe, perhaps: whoever read has enough
    System.exit(exitCode);
  }

  /** Runs, and returns the exit code. */
  static int run(PrintStream out, PrintStream err, String... args) {
    CommandLine run = new CommandLine(new RunCommand(err));
    return new CommandLine(new Offcut())
        .addSubcommand(run)
        .addSubcommand(new PsCommand(out, err))
        .addSubcommand(new AttachCommand(err))
        .addSubcommand(new WebCommand(err))
        .addSubcommand(new ReportCommand(out, err))
        .addSubcommand(new LeaksCommand(out, err))
        .addSubcommand(new StatsCommand(out, err))
        .addSubcommand(new ExplainCommand(out, err))
        .addSubcommand(new DiffCommand(out, err))
        .addSubcommand(new ExportCommand(out, err))
        .setUsageHelpWidth(HELP_WIDTH)
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setExpandAtFiles(false) // an @file behind -- is the program's
        .setParameterExceptionHandler((e, given) -> misused(err, e))
        .setExecutionExceptionHandler((e, line, parsed) -> failed(err, e))
        .execute(arguments(run.getCommandSpec(), args));
  }

  /** Without a {@code --}, what is given to {@code run} is partly its own. */
  private static String[] arguments(CommandSpec run, String... args) {
    List<String> given = List.of(args);
    if (given.isEmpty() || !given.getFirst().equals(run.name()) || given.contains("--")) {
      return args;
    }
    List<String> sorted = new ArrayList<>(List.of(run.name()));
    sorted.addAll(BundledProgram.sorted(run, given.subList(1, given.size())));
    return sorted.toArray(String[]::new);
  }

  private static int misused(PrintStream err, ParameterException e) {
    err.println("offcut: " + e.getMessage());
    err.println(
        "`" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help` lists the options.");
    return ExitCode.USAGE;
  }

  /** One line for what a user can mend; the whole trace for what is a bug here. */
  private static int failed(PrintStream err, Exception e) {
    if (e instanceof Failure failure) {
      err.println("offcut: " + failure.sentence());
      return failure.exitCode();
    }
    e.printStackTrace(err);
    return ExitCode.SOFTWARE;
  }
}
