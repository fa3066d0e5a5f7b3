package dev.offcut.agent.command;

import dev.offcut.agent.Presence;
import dev.offcut.agent.Request;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/**
 * The words of the command, and its exit codes. What was asked for goes to stdout, everything else
 * to stderr.
 */
public final class Command {
  /** It is done. */
  static final int DONE = 0;

  /** It failed, for none of the reasons below. */
  static final int FAILED = 1;

  /** What was typed is not understood. */
  static final int USAGE = 2;

  /** The JVM is gone, not this user's, none, or lets nobody attach. */
  static final int UNREACHABLE = 4;

  private final PrintStream out;
  private final PrintStream err;

  Command(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs one word and ends this JVM. */
  public static void main(String[] args) {
    System.exit(new Command(System.out, System.err).run(args));
  }

  /** Runs one word; the exit code. */
  int run(String... args) {
    try {
      run(List.of(args));
      return DONE;
    } catch (Failure e) {
      err.println("offcut: " + e.sentence());
      return e.exitCode();
    } catch (IOException e) {
      err.println("offcut: the JVM could not be asked (" + e + "); try again");
      return FAILED;
    }
  }

  private void run(List<String> args) throws Failure, IOException {
    if (args.isEmpty()) {
      throw Failure.usage("a word is missing");
    }
    switch (args.get(0)) {
      case "--help", "-h" -> print(args, Help.lines());
      case "--version" -> print(args, List.of("offcut-agent " + Presence.version()));
      case "list" -> {
        accept(args, 0);
        list();
      }
      case "status" -> {
        accept(args, 1);
        status(pid(args));
      }
      case "attach" -> {
        accept(args, 2);
        attach(pid(args), args.size() > 2 ? args.get(2) : "");
      }
      case "report" -> {
        accept(args, 2);
        report(args);
      }
      default -> throw Failure.usage("the word " + args.get(0) + " is unknown");
    }
  }

  private void print(List<String> args, List<String> lines) throws Failure {
    accept(args, 0);
    lines.forEach(out::println);
  }

  private static void accept(List<String> args, int most) throws Failure {
    if (args.size() > most + 1) {
      throw Failure.usage(args.get(most + 1) + " is one argument too many for " + args.get(0));
    }
  }

  /** A Java without the module jdk.attach is only good to run programs. */
  private static void requireAttach() throws Failure {
    if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
      throw Failure.other(
          "the Java in "
              + System.getProperty("java.home")
              + " lacks the module jdk.attach; run this with the java of a JDK");
    }
  }

  private static long pid(List<String> args) throws Failure {
    if (args.size() < 2) {
      throw Failure.usage("a PID is missing after " + args.get(0));
    }
    try {
      long pid = Long.parseLong(args.get(1));
      if (pid > 0) {
        requireAttach();
        return pid;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw Failure.usage(args.get(1) + " is no PID");
  }

  private void list() throws Failure {
    requireAttach();
    List<String> lines = Jvms.list();
    if (lines.isEmpty()) {
      err.println(
          "offcut: no JVM of this user is running, or none that lets itself be attached to");
    } else {
      lines.forEach(out::println);
    }
  }

  private void status(long pid) throws Failure, IOException {
    try (Target target = Target.withAgent(pid)) {
      out.println(target.describe());
      target.said().forEach(out::println);
      out.println(target.ask(Request.STATUS));
    }
  }

  private void attach(long pid, String options) throws Failure, IOException {
    try (Target target = Target.of(pid)) {
      if (target.agent() == null) {
        target.start(options);
      } else {
        err.println(
            "offcut: the agent is in this JVM already; "
                + (options.isEmpty() ? "nothing was done" : "options have no effect"));
      }
      out.println(target.describe());
      target.said().forEach(out::println);
    }
  }

  private void report(List<String> args) throws Failure, IOException {
    String report;
    try (Target target = Target.withAgent(pid(args))) {
      report = target.ask(Request.REPORT);
    }
    if (args.size() == 2) {
      out.println(report);
      return;
    }
    String file = args.get(2);
    try {
      Files.writeString(Path.of(file), report + System.lineSeparator());
    } catch (IOException | InvalidPathException e) {
      throw Failure.other("the report could not be written to " + file + " (" + e + ")");
    }
  }
}
