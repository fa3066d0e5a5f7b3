package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import dev.offcut.cli.source.Jvm;
import dev.offcut.cli.source.Sources;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code offcut status}. */
@Command(
    name = "status",
    description =
        "What the agent in a JVM rewrote, what it left as it was and why, and what its object"
            + " streams save. The agent is loaded once more to answer.",
    footer = {
      "",
      "A JDK 21 or newer prints a warning on the program's stderr when an agent is attached."
    })
final class StatusCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PID", description = "The program; `offcut ps` lists them.")
  private String pid = "";

  @Option(
      names = "--places",
      description =
          "Also the places that read object streams, and a filter of the classes that were read."
              + " The agent notes them from the first time on that this is asked.")
  private boolean places;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  private final PrintStream out;

  StatusCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public Integer call() throws Failure {
    Jvm jvm = Jvm.withAgent(Sources.pid(pid));
    out.println(
        "JVM " + pid + ", " + jvm.main() + ", Java " + jvm.java() + ", agent " + jvm.agent());
    jvm.said().forEach(out::println);
    out.println(jvm.ask(AgentJar.path(), places ? "report" : "status"));
    return ExitCode.OK;
  }
}
