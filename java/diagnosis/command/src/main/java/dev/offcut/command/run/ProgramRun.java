package dev.offcut.command.run;

import dev.offcut.command.read.Accounts;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.NativeCallers;
import dev.offcut.command.read.Outside;
import dev.offcut.command.read.Sources.LiveTables;
import dev.offcut.command.read.SteadyClock;
import dev.offcut.command.read.TablesWriter;
import dev.offcut.resident.Account;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of a program under the agent, from its start to what it leaves. */
public final class ProgramRun implements AutoCloseable {
  /**
   * How it is run.
   *
   * @param command what to start, word by word
   * @param agent its jar
   * @param options for the agent, behind what is always given
   * @param retrofit null if the program is not to be made faster
   * @param record whether Flight Recorder records, too
   * @param longestDump seconds that the end of a JVM may wait for a heap dump, which says what
   *     holds open resources; negative: there is none
   * @param terminal whether a terminal sends signals to the program, too
   * @param progress whether a line may say how it goes
   */
  public record Plan(
      List<String> command,
      Path agent,
      List<String> options,
      @Nullable Retrofit retrofit,
      boolean record,
      double longestDump,
      boolean terminal,
      boolean progress) {}

  /** The agent that makes the program faster. */
  public record Retrofit(Path jar, String options) {}

  /**
   * What a JVM left. The files go when the run is closed.
   *
   * @param tables what its agent published last; null if it has none
   * @param recording null without one
   * @param source what to read of it: of a program that was killed the chunks of its recorder,
   *     which tell that they were not ended
   */
  public record Left(
      @Nullable Path tables, @Nullable Path recording, Path source, Outside outside) {}

  private static final long NO_JVM = -1;

  /** Seconds; the dump before this one may be another JVM's, and a busy machine is slow. */
  private static final double DUMP_PATIENCE = 15;

  private final Plan plan;
  private final Workspace workspace;
  private final PrintStream err;
  private final ProgressLine line;
  private final @Nullable Consumer<Digest> heard;

  /** The process, if it is a JVM itself. */
  private long jvm = NO_JVM;

  /** The command, if it is a Go program. */
  private @Nullable Path goFile;

  private long goProcess = NO_JVM;
  private Instant began = Instant.EPOCH;

  private @Nullable AccountTaker taker;
  private @Nullable EndHolders holders;
  private boolean full;

  /** {@code heard}: is told each second what is known by then; or null. */
  public ProgramRun(Plan plan, PrintStream err, @Nullable Consumer<Digest> heard) throws Failure {
    this.plan = plan;
    this.err = err;
    this.line = new ProgressLine(err);
    this.heard = heard;
    try {
      this.workspace = new Workspace();
    } catch (IOException e) {
      throw Failure.of(
          Child.WRAPPER_FAILED,
          "cannot write to the directory for temporary files: " + e.getMessage());
    }
  }

  /** Runs it to its end, and returns its exit code. */
  public int run() throws Failure {
    List<String> options = new ArrayList<>(plan.options());
    if (plan.record()) {
      options.add("record=" + workspace.agentsRecording());
    }
    options.add("gcatexit=on");
    options.add("tables=" + workspace.tables());
    if (plan.longestDump() >= 0) {
      holders =
          new EndHolders(workspace.accounts(), workspace::tablesOf, plan.longestDump(), this::say);
    }
    taker = taker();
    if (taker == null) {
      if (holders != null) {
        err.println("offcut: --holders is left out: nobody can be told when a program ends");
      }
      holders = null;
      workspace.answerNobody();
    } else {
      options.add("account=" + workspace.accounts());
    }
    if (holders != null) {
      options.add("holders=" + (long) Math.ceil(DUMP_PATIENCE + 2 * plan.longestDump()));
    }
    Child.Command command =
        new Child.Command(
            plan.command(),
            plan.agent(),
            String.join(",", options),
            plan.record() ? workspace.repository() : null);
    Retrofit retrofit = plan.retrofit();
    if (retrofit != null) {
      command.addAgent(retrofit.jar(), retrofit.options());
    }
    goFile = command.goFile();
    if (counts()) {
      command.tellGo(workspace.folder(), level());
    }
    if (goFile != null) {
      sayWhatIsForJvms();
      preload(command, goFile);
    }
    long kills = kills();
    Child child = Child.start(command.process());
    jvm = command.isJava() ? child.pid() : NO_JVM;
    if (goFile != null) {
      goProcess = child.pid();
      began = SteadyClock.now();
      watchGo(child.pid());
    }
    Signals.passTo(child, plan.terminal());
    err.println("offcut: until the program ends, its counts are in " + workspace.folder());
    try (LiveTables _ = watch(child, command)) {
      return child.await();
    } finally {
      line.clear();
      full = kills() > kills;
      if (taker != null) {
        taker.close();
      }
      if (holders != null) {
        holders.await();
      }
    }
  }

  /**
   * How many processes of our control group, which is the program's, were killed as it was full.
   */
  private static long kills() {
    Account.Container container = Account.Container.of(ProcessHandle.current().pid());
    return container == null ? 0 : container.kills();
  }

  /** Whether the system killed a process meanwhile because the control group was full. */
  public boolean wasFull() {
    return full;
  }

  private void say(String sentence) {
    line.clear();
    err.println(sentence);
  }

  private boolean counts() {
    return !plan.options().contains("level=off");
  }

  /** As the agent's options have it. */
  private String level() {
    return plan.options().stream()
        .filter(option -> option.startsWith("level="))
        .map(option -> option.substring("level=".length()))
        .findFirst()
        .orElse("sample");
  }

  private void sayWhatIsForJvms() {
    List<String> options = new ArrayList<>();
    if (plan.record()) {
      options.add("--record");
    }
    if (plan.longestDump() >= 0) {
      options.add("--holders");
    }
    if (!options.isEmpty()) {
      err.println(
          "offcut: this is a Go program, so it runs without "
              + String.join(", ", options)
              + ", which only JVMs have");
    }
  }

  /** Malloc is sampled in a Go program, too, if it has a C library. */
  private void preload(Child.Command command, Path program) {
    try {
      Path library =
          plan.options().contains("native=off")
              ? null
              : NativeLibrary.unpacked(plan.agent(), program, workspace.folder());
      if (library != null) {
        command.preload(library, workspace.tables().resolve("%p" + NativeCallers.ENDING));
      }
    } catch (IOException e) {
      err.println("offcut: malloc is not sampled: " + e.getMessage());
    }
  }

  private void watchGo(long pid) {
    try {
      if (taker != null && counts()) {
        taker.watchGo(pid);
      }
    } catch (IOException e) {
      // It said so itself, or there will be no accounts.
    }
  }

  /** Whether the report is about the Go program that the command is. */
  private boolean isGo(List<Long> processes) {
    return goFile != null && counts() && (processes.contains(goProcess) || processes.isEmpty());
  }

  /**
   * Starts the taker. Null if there is none: then the report has the recorded figures, and no
   * program waits at its end.
   */
  private @Nullable AccountTaker taker() {
    try {
      return AccountTaker.in(
          workspace.accounts(),
          counts() ? workspace::expectedTables : null,
          holders == null ? null : holders::look);
    } catch (IOException e) {
      err.println(
          "offcut: no accounts of resident memory are taken: files cannot be watched: "
              + e.getMessage());
      return null;
    }
  }

  /** Null if nobody looks on: to read along costs CPU that the program might want. */
  private @Nullable LiveTables watch(Child child, Child.Command command) {
    return plan.progress() || heard != null
        ? new LiveTables(() -> published(child, command), this::taken, this::tell)
        : null;
  }

  /** By now, of the JVM that is watched. */
  private @Nullable Accounts taken() {
    return taker == null ? null : taker.of(goFile == null ? jvm : goProcess);
  }

  private Optional<Path> published(Child child, Child.Command command) {
    return command.isJava() || goFile != null
        ? workspace.tablesOf(child.pid())
        : workspace.anyTables();
  }

  private void tell(Digest digest) {
    if (plan.progress()) {
      line.show(digest);
    }
    if (heard != null) {
      heard.accept(digest);
    }
  }

  /** The tables that the JVMs have published by now. */
  public List<Path> published() {
    return workspace.processes().stream()
        .map(workspace::tablesOf)
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * What each JVM left that had the agent's options, the one first that the report is about: the
   * command itself, or of a command that started several that which ended last.
   */
  public List<Left> left() throws IOException {
    List<Long> processes = new ArrayList<>(workspace.processes());
    if (isGo(processes)) {
      jvm = goProcess;
      if (!processes.contains(goProcess)) {
        TablesWriter.ofGo(
            workspace.expectedTables(goProcess), goProcess, goFile, plan.command(), began);
      }
    }
    if (jvm != NO_JVM) {
      processes.remove(jvm);
      processes.addFirst(jvm);
    }
    List<Left> all = new ArrayList<>();
    for (long process : processes) {
      Left left = left(process);
      if (left != null) {
        all.add(left);
      } else if (process == jvm) {
        return List.of();
      }
    }
    return all;
  }

  private @Nullable Left left(long process) throws IOException {
    Path tables = workspace.tablesOf(process).orElse(null);
    Path recording = workspace.recordingOf(process);
    Accounts accounts = taker == null ? null : taker.of(process);
    Path source = tables == null ? recording : tables;
    return source == null
        ? null
        : new Left(
            tables,
            recording,
            source,
            new Outside(
                accounts,
                tables == null ? null : NativeCallers.beside(tables),
                holders == null ? null : holders.of(process)));
  }

  /** Leaves what the program left where it is, and returns where. */
  public Path keep() {
    return workspace.keep();
  }

  @Override
  public void close() {
    workspace.close();
  }
}
