package dev.offcut.cli.run;

import dev.offcut.account.Account;
import dev.offcut.cli.digest.Accounts;
import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.run.Watch.ProgressLine;
import dev.offcut.cli.source.Failure;
import dev.offcut.cli.source.Recordings.Joined;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One run of a program under the agent, from its start to the recording that it leaves. */
public final class ProgramRun implements AutoCloseable {
  /** What a wrapper ends with that could not do its own work. */
  public static final int WRAPPER_FAILED = Child.WRAPPER_FAILED;

  /**
   * How it is run.
   *
   * @param command what to start, word by word
   * @param agent its jar
   * @param options for the agent, behind what is always given
   * @param terminal whether a terminal sends signals to the program, too
   * @param progress whether a line may say how it goes
   */
  public record Plan(
      List<String> command, Path agent, List<String> options, boolean terminal, boolean progress) {}

  private static final long NO_JVM = -1;

  private final Plan plan;
  private final Workspace workspace;
  private final ProgressLine line;
  private final @Nullable Consumer<Digest> heard;

  /** The process, if it is a JVM itself. */
  private long jvm = NO_JVM;

  private @Nullable Path source;
  private @Nullable AccountTaker taker;
  private boolean full;

  /** {@code heard}: is told each second what is known by then; or null. */
  public ProgramRun(Plan plan, PrintStream err, @Nullable Consumer<Digest> heard) throws Failure {
    this.plan = plan;
    this.line = new ProgressLine(err);
    this.heard = heard;
    try {
      this.workspace = new Workspace();
    } catch (IOException e) {
      throw Failure.of(
          WRAPPER_FAILED, "cannot write to the directory for temporary files: " + e.getMessage());
    }
  }

  /** Runs it to its end, and returns its exit code. */
  public int run() throws Failure {
    List<String> options = new ArrayList<>(plan.options());
    options.add("record=" + workspace.agentsRecording());
    options.add("gcatexit=on");
    options.add("account=" + workspace.accounts());
    options.add("tables=" + workspace.tables());
    Child.Command command =
        new Child.Command(
            plan.command(), plan.agent(), String.join(",", options), workspace.repository());
    taker = taker();
    long kills = kills();
    Child child = Child.start(command.process());
    jvm = command.isJava() ? child.pid() : NO_JVM;
    Signals.passTo(child, plan.terminal());
    try (Watch _ = watch(child, command)) {
      return child.await();
    } finally {
      line.clear();
      full = kills() > kills;
      if (taker != null) {
        taker.close();
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

  /** Without one there are the recorded figures. */
  private @Nullable AccountTaker taker() {
    try {
      return AccountTaker.in(workspace.accounts());
    } catch (IOException e) {
      return null;
    }
  }

  /** Accounts of the process that a recording is of; null if there are none. */
  public @Nullable Accounts accounts(Path recording) {
    long pid = Workspace.pidOf(recording);
    return taker == null ? null : taker.of(pid < 0 ? jvm : pid);
  }

  /** Null if nobody looks on: to read along costs CPU that the program might want. */
  private @Nullable Watch watch(Child child, Child.Command command) {
    return plan.progress() || heard != null
        ? new Watch(() -> repository(child, command), this::taken, this::tell)
        : null;
  }

  /** By now, of the JVM that is watched. */
  private @Nullable Accounts taken() {
    return taker == null ? null : taker.of(jvm);
  }

  private Optional<Path> repository(Child child, Child.Command command) {
    return command.isJava() ? workspace.repositoryOf(child.pid()) : workspace.anyRepository();
  }

  private void tell(Digest digest) {
    if (plan.progress()) {
      line.show(digest);
    }
    if (heard != null) {
      heard.accept(digest);
    }
  }

  /**
   * What it recorded: what it wrote when it ended, or what of it was there when it was killed, or
   * its disk was full; null if there is nothing. Of a command that started several JVMs, that of
   * the last that ended. The file goes when this is closed.
   */
  public @Nullable Path recording() throws IOException {
    Path left = left();
    source = left;
    if (left != null && Joined.isWhole(left)) {
      return left;
    }
    Optional<Path> repository =
        jvm == NO_JVM ? workspace.anyRepository() : workspace.repositoryOf(jvm);
    if (repository.isPresent() && Joined.write(repository.get(), workspace.joined())) {
      source = repository.get();
      return workspace.joined();
    }
    return left;
  }

  /**
   * What its agent published last, where there is no recording, or null: it was killed, halted, or
   * has no recorder. The file goes when this is closed.
   */
  public @Nullable Path tables() {
    source = workspace.tablesOf(jvm).orElse(null);
    return source;
  }

  /** What it wrote when it ended, whole or not; null if it wrote nothing. */
  private @Nullable Path left() {
    Path own = workspace.recordingOf(jvm);
    List<Path> all = workspace.recordings();
    if (all.contains(own)) {
      return own;
    }
    return jvm == NO_JVM && !all.isEmpty() ? all.getFirst() : null;
  }

  /** What other JVMs recorded that had the same options, when the recording was asked for. */
  public List<Path> others() {
    Path own = workspace.recordingOf(jvm);
    return workspace.recordings().stream()
        .filter(file -> !file.equals(source) && !file.equals(own))
        .toList();
  }

  /**
   * What to read of it: the recording, or of a program that was killed the chunks, which tell that
   * they were not ended. There is one, since {@link #recording} returned one.
   */
  public Path source() {
    return Objects.requireNonNull(source);
  }

  @Override
  public void close() {
    workspace.close();
  }
}
