package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import dev.offcut.cli.source.Jvm;
import dev.offcut.cli.source.Sources;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code offcut attach}. */
@Command(
    name = "attach",
    description =
        "Puts the agent into a JVM that runs, and lets it record. What was opened before is not"
            + " known; `offcut run` sees everything.",
    footer = {
      "",
      "A JDK 21 or newer prints a warning on the program's stderr when an agent is attached."
    })
final class AttachCommand implements Callable<Integer> {
  @Parameters(paramLabel = "PID", description = "The program; `offcut ps` lists them.")
  private String pid = "";

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description = "What is recorded: off, count, sample or full (default: ${DEFAULT-VALUE}).")
  private RunCommand.Level level = RunCommand.Level.sample;

  @Mixin private final RewriteOption rewrite = new RewriteOption();

  @Option(
      names = "--options",
      split = ",",
      paramLabel = "KEY=VALUE",
      description = "More options of the agent, as after -javaagent:offcut-agent.jar=.")
  private List<String> options = List.of();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  private final PrintStream err;

  AttachCommand(PrintStream err) {
    this.err = err;
  }

  @Override
  public Integer call() throws Failure {
    Jvm jvm = Jvm.of(Sources.pid(pid));
    Path agent = AgentJar.path();
    if (jvm.agent() == null) {
      List<String> given = new ArrayList<>(rewrite.agentOptions(level));
      given.addAll(options);
      jvm = jvm.load(agent, String.join(",", given));
      err.println("offcut: the agent is in the JVM " + pid + " now");
    } else {
      err.println("offcut: the agent was in the JVM " + pid + " already; its options stay");
    }
    if (level == RunCommand.Level.off) {
      err.println("  next: offcut status " + pid);
    } else {
      record(jvm, agent);
      err.println("  next: offcut web " + pid + "        offcut leaks " + pid);
    }
    return ExitCode.OK;
  }

  private void record(Jvm jvm, Path agent) throws Failure {
    if (!jvm.records()) {
      String answer = jvm.ask(agent, "record");
      if (!Jvm.of(Sources.pid(pid)).records()) {
        throw Failure.other("the agent in the JVM " + pid + " does not record: " + answer);
      }
    }
  }
}
