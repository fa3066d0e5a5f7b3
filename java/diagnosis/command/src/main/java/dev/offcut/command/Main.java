package dev.offcut.command;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Temporary;
import dev.offcut.command.read.Versions;
import dev.offcut.command.run.CleanCommand;
import dev.offcut.command.run.FleetWords;
import dev.offcut.command.run.JvmCommand;
import dev.offcut.command.run.RulesCommand;
import dev.offcut.command.run.RunCommand;
import dev.offcut.command.run.SourceCommand;
import dev.offcut.command.run.WatchCommand;
import dev.offcut.command.run.WebCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The program behind {@code offcut run}, {@code report} and their like; each word is a class.
 *
 * <p>The result goes to stdout, all else to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3
 * something leaks and that was to be a failure, 4 no such program, 5 a recording that cannot be
 * read in full; {@code run} has the program's own, and 125 to 127.
 */
public final class Main {
  /** Columns. */
  private static final int HELP_WIDTH = 100;

  private Main() {}

  public static void main(String[] args) {
    Output output = new Output(new FileOutputStream(FileDescriptor.out));
    PrintStream out = new PrintStream(output, false, StandardCharsets.UTF_8); // each line at once
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    int exitCode = run(out, err, args);
    out.flush();
    if (exitCode == ExitCode.OK && !output.problem.isEmpty()) {
      err.println("offcut: cannot write the result: " + output.problem);
      exitCode = ExitCode.SOFTWARE;
    }
    System.exit(exitCode);
  }

  /** Stdout, which knows why it took not all: a print stream keeps that to itself. */
  private static final class Output extends FilterOutputStream {
    /** Whoever reads from a pipe and ends has enough. */
    private static final String ENOUGH = "Broken pipe";

    private String problem = "";

    Output(OutputStream to) {
      super(to);
    }

    @Override
    public void write(byte[] from, int at, int length) throws IOException {
      try {
        out.write(from, at, length);
      } catch (IOException e) {
        if (!ENOUGH.equals(e.getMessage())) {
          problem = String.valueOf(e.getMessage());
        }
        throw e;
      }
    }
  }

  public static int run(PrintStream out, PrintStream err, String... args) {
    String word = args.length == 0 ? "help" : args[0];
    switch (word) {
      case "help", "--help", "-h" -> {
        out.print(help("help.txt"));
        return ExitCode.OK;
      }
      case "version", "--version", "-V" -> {
        out.println("offcut " + Versions.own());
        return ExitCode.OK;
      }
      default -> {
        if (word.equals("fleet") && asksForHelp(args)) {
          out.print(help("fleet.txt"));
          return ExitCode.OK;
        }
        Object command = command(word, out, err);
        if (command == null && word.equals("fleet")) {
          err.println(
              "offcut: offcut-fleet.jar, which has the words of fleet, is not on the class path;"
                  + " use `./offcut fleet` in a clone, which builds it");
          return ExitCode.SOFTWARE;
        }
        if (command == null) {
          err.println("offcut: there is no command " + word + "; `offcut help` lists the commands");
          return ExitCode.USAGE;
        }
        if (!word.equals("clean")) {
          Temporary.begin(); // `clean` says what it removes
        }
        Callable<Integer> plain = plain(command, args);
        return plain == null ? execute(command, out, err, args) : call(plain, err);
      }
    }
  }

  /**
   * The class behind a word, null if there is none. The others are not loaded: that would be half
   * of a short word's time.
   */
  private static @Nullable Object command(String word, PrintStream out, PrintStream err) {
    return switch (word) {
      case "run" -> new RunCommand(out, err);
      case "ps" -> new JvmCommand.Ps(out, err);
      case "attach" -> new JvmCommand.Attach(out, err);
      case "detach" -> new JvmCommand.Detach(out, err);
      case "watch" -> new WatchCommand(out, err);
      case "web" -> new WebCommand(out, err);
      case "rules" -> new RulesCommand(out, err);
      case "clean" -> new CleanCommand(out, err);
      case "report" -> new SourceCommand.Report(out, err);
      case "diff" -> new SourceCommand.Diff(out, err);
      case "export" -> new SourceCommand.Export(out, err);
      case "fleet" ->
          ServiceLoader.load(FleetWords.class)
              .findFirst()
              .map(words -> words.command(out, err))
              .orElse(null);
      default -> null;
    };
  }

  /**
   * The command as it is called most, without options of its own: there is nothing to parse, and
   * picocli would take more time than all else. Null if it has options.
   */
  private static @Nullable Callable<Integer> plain(Object command, String... args) {
    if (command instanceof JvmCommand.Ps ps && args.length == 1) {
      return ps;
    }
    if (command instanceof RunCommand run && args.length > 2 && args[1].equals("--")) {
      return run.with(List.of(args).subList(2, args.length));
    }
    return null;
  }

  private static int call(Callable<Integer> command, PrintStream err) {
    try {
      return command.call();
    } catch (Exception e) {
      return failed(err, e);
    }
  }

  private static int execute(Object command, PrintStream out, PrintStream err, String... args) {
    CommandLine line = new CommandLine(command);
    if (command instanceof RunCommand run && !List.of(args).contains("--")) {
      run.runBundled();
      line.setUnmatchedOptionsArePositionalParams(true); // they are the bundled program's
    }
    return new CommandLine(CommandSpec.create().name("offcut"))
        .addSubcommand(line)
        .setUsageHelpWidth(HELP_WIDTH)
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setExpandAtFiles(false) // an @file behind -- is the program's
        .setParameterExceptionHandler((e, given) -> misused(err, e))
        .setExecutionExceptionHandler((e, failed, parsed) -> failed(err, e))
        .execute(args);
  }

  /** All of fleet's options are in one text: it is shown before anything of it is built. */
  private static boolean asksForHelp(String... args) {
    return args.length == 1 || List.of(args).contains("--help") || List.of(args).contains("-h");
  }

  /** The words, as a file beside this class has them. */
  private static String help(String file) {
    try (InputStream in = Objects.requireNonNull(Main.class.getResourceAsStream(file))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
