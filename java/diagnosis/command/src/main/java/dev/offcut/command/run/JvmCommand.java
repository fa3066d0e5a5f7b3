package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Jvm;
import dev.offcut.command.read.JvmList;
import dev.offcut.command.read.LeftRuns;
import dev.offcut.command.read.Sources;
import dev.offcut.command.show.ProgramTable;
import dev.offcut.resident.Account;
import dev.offcut.resident.Accountant;
import dev.offcut.resident.Part;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The words about JVMs that run: {@code ps} lists them, {@code attach} puts the agent into one.
 * None reads a source; {@link SourceCommand} has those that do.
 */
public final class JvmCommand {
  /** What the agent's line about tables that it cannot write begins with. */
  private static final String UNPUBLISHED = "the tables could not be written";

  private JvmCommand() {}

  @Command(
      name = "ps",
      addMethodSubcommands = false,
      description =
          "Lists the JVMs of this user, and whether the agent is in them, and the files that earlier"
              + " runs left in this folder and among temporary files. It runs no code in a JVM.")
  public static final class Ps extends Word {
    @Option(names = "--json", description = "As JSON, offcut.ps/1, on stdout.")
    private boolean json;

    public Ps(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() {
      List<JvmList.Listed> jvms = JvmList.all();
      if (json) {
        out.println(ProgramTable.json(jvms));
        return ExitCode.OK;
      }
      if (jvms.isEmpty()) {
        err.println("offcut: no JVM of this user runs");
      } else {
        out.print(ProgramTable.text(jvms));
      }
      List<LeftRuns.Left> left = LeftRuns.all(Path.of(""));
      if (!left.isEmpty()) {
        out.println();
        out.print(ProgramTable.left(left));
      }
      return ExitCode.OK;
    }
  }

  private static void askForNative(Jvm jvm, Path agent, String pid, String word) throws Failure {
    String problem = jvm.ask(agent, word);
    if (!problem.isEmpty()) {
      throw Failure.other("malloc is not sampled in the JVM " + pid + ": " + problem);
    }
  }

  @Command(
      name = "detach",
      addMethodSubcommands = false,
      description =
          "Ends the sampling of malloc in a JVM: each call goes to malloc as before. The agent stays"
              + " and counts.")
  public static final class Detach extends Word {
    @Parameters(paramLabel = "PID", description = "The program; `offcut ps` lists them.")
    private String pid = "";

    @Option(names = "--native", required = true, description = "What to end: the sampling.")
    private boolean nativeMemory;

    public Detach(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws Failure {
      Jvm jvm = Jvm.withAgent(Sources.pid(pid));
      if (nativeMemory) {
        askForNative(jvm, AgentOptions.jar(), pid, "native.off");
        err.println("offcut: malloc is not sampled any more in the JVM " + pid);
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "attach",
      addMethodSubcommands = false,
      description =
          "Loads the agent into a running JVM, where it counts. The agent misses everything that was"
              + " opened before; `offcut run` does not.",
      footer = {
        "",
        "A JDK 21 or newer prints a warning on the program's stderr when an agent is attached."
      })
  public static final class Attach extends Word {
    @Parameters(paramLabel = "PID", description = "The program; `offcut ps` lists them.")
    private String pid = "";

    @Option(
        names = "--level",
        paramLabel = "LEVEL",
        description = "What is recorded: off, count, sample or full (default: ${DEFAULT-VALUE}).")
    private AgentOptions.Level level = AgentOptions.Level.sample;

    @Option(
        names = "--record",
        description =
            "Also start a Flight Recorder recording, with the JDK's events, too: it costs the program"
                + " some 0.8 s of CPU.")
    private boolean record;

    @Option(
        names = "--native",
        description =
            "Also sample malloc, which names the lines that take native memory: calls of malloc and"
                + " free go through a library that is loaded into the program. `offcut detach"
                + " --native` ends that. Linux only.")
    private boolean nativeMemory;

    @Mixin private final AgentOptions told = new AgentOptions();

    @Option(
        names = "--options",
        split = ",",
        paramLabel = "KEY=VALUE",
        description = "More options of the agent, as after -javaagent:offcut-agent.jar=.")
    private List<String> options = List.of();

    public Attach(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws Failure {
      Jvm jvm = Jvm.of(Sources.pid(pid));
      Path agent = AgentOptions.jar();
      String rewritten = told.retrofit();
      if (rewritten != null && jvm.retrofit() == null) {
        jvm.loadRetrofit(AgentOptions.retrofitJar(), rewritten);
      }
      if (jvm.agent() == null) {
        List<String> given = new ArrayList<>(told.options(level));
        if (nativeMemory) {
          given.add("native=on");
        }
        given.addAll(options);
        long malloc = malloc(Sources.pid(pid));
        if (malloc > 0) {
          given.add("missed=" + malloc);
        }
        jvm = jvm.load(agent, String.join(",", given));
        err.println("offcut: the agent is in the JVM " + pid + " now");
        jvm.said().forEach(line -> err.println("  " + line));
      } else {
        err.println("offcut: the agent was in the JVM " + pid + " already; its options stay");
        if (nativeMemory) {
          askForNative(jvm, agent, pid, "native");
        }
      }
      if (level != AgentOptions.Level.off) {
        if (record && !jvm.records()) {
          record(jvm, agent);
        }
        checkPublishes(jvm);
        if (!nativeMemory) {
          err.println(
              "  malloc is not sampled; offcut attach --native "
                  + pid
                  + " does, and names the lines that take native memory");
        }
        err.println("  next: offcut web " + pid + "        offcut report " + pid);
      }
      return ExitCode.OK;
    }

    /** What is in use before the agent comes, the JVM's own included; 0 if nobody may look. */
    private static long malloc(long pid) {
      try {
        Account before = new Accountant(pid).take();
        return before.bytes(Part.MALLOC_USED) + before.bytes(Part.MALLOC_JVM);
      } catch (IOException | RuntimeException e) {
        return 0; // another system, or another user's
      }
    }

    /** Flight Recorder ends a JVM that it cannot write for. */
    private void record(Jvm jvm, Path agent) throws Failure {
      FreeSpace.checkForRecording(jvm.temporary());
      String answer = jvm.ask(agent, "record");
      if (!Jvm.of(Sources.pid(pid)).records()) {
        throw Failure.other("the agent in the JVM " + pid + " does not record: " + answer);
      }
    }

    private void checkPublishes(Jvm jvm) throws Failure {
      if (record || Sources.publishes(Sources.pid(pid))) {
        return;
      }
      String reason =
          Jvm.of(Sources.pid(pid)).said().stream()
              .filter(line -> line.startsWith(UNPUBLISHED))
              .reduce((first, second) -> second)
              .orElse(
                  "it counts nothing, or cannot write; start the program with the agent's option"
                      + " level=sample");
      throw Failure.other(
          """
          the agent in the JVM %s publishes nothing, so no report can be made: %s; the program \
          goes on, and its folder for temporary files is %s"""
              .formatted(pid, reason, jvm.temporary()));
    }
  }
}
