package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import dev.offcut.cli.source.Jvm;
import dev.offcut.cli.source.Sources;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
      description = "What is recorded: count, sample or full (default: ${DEFAULT-VALUE}).")
  private RunCommand.Level level = RunCommand.Level.sample;

  @Mixin private final RewriteOption rewrite = new RewriteOption();

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
    if (!Sources.isPid(pid)) {
      throw Failure.unreachable(pid + " is no PID; `offcut ps` lists them");
    }
    long number = Sources.pid(pid);
    Path agent = AgentJar.path();
    Jvm jvm = Jvm.of(number);
    if (jvm.agent() == null) {
      Jvm.load(number, agent, String.join(",", rewrite.agentOptions(level)));
      if (Jvm.of(number).agent() == null) {
        throw Failure.other("the agent did not start in the JVM " + pid + "; its stderr says why");
      }
      err.println("offcut: the agent is in the JVM " + pid + " now");
    } else {
      err.println("offcut: the agent was in the JVM " + pid + " already; it stays as it was told");
    }
    record(number, agent);
    return ExitCode.OK;
  }

  private void record(long number, Path agent) throws Failure {
    if (!Jvm.of(number).records()) {
      String answer = Jvm.request(number, agent, "record");
      if (!Jvm.of(number).records()) {
        throw Failure.other("the agent in the JVM " + pid + " does not record" + because(answer));
      }
    }
    err.println("  next: offcut web " + pid + "        offcut leaks " + pid);
  }

  private static String because(@Nullable String answer) {
    return answer == null || answer.isEmpty() ? "; its stderr says why" : ": " + answer;
  }
}
