package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code --fleet} of {@code run}, and the options that say more of it. */
final class FleetOption {
  @ArgGroup(exclusive = false)
  private @Nullable Fleet fleet;

  /** What was said last of figures that could not be added while the program runs. */
  private String said = "";

  /** A fleet, and what is said of the run there. */
  private static final class Fleet {
    @Option(
        names = "--fleet",
        required = true,
        paramLabel = "DIR",
        description =
            "At the end, also put the figures into a fleet; needs --service and --version. `offcut"
                + " fleet --help` explains these options. A program that was killed by a signal is"
                + " added, too.")
    private String place = "";

    @Option(
        names = "--service",
        required = true,
        paramLabel = "NAME",
        description = "With --fleet: the service.")
    private String service = "";

    @Option(
        names = "--version",
        required = true,
        paramLabel = "VERSION",
        description = "With --fleet: its version.")
    private String version = "";

    @Option(
        names = "--host",
        paramLabel = "NAME",
        description = "With --fleet: the machine (default: this one).")
    private @Nullable String host;

    @Option(names = "--hash-hosts", description = "With --fleet: a hash in place of its name.")
    private boolean hashed;

    @Option(
        names = "--with-arguments",
        description = "With --fleet: also the program's arguments, and folders of files.")
    private boolean withArguments;

    @Option(
        names = "--every",
        paramLabel = "TIME",
        converter = WatchCommand.Time.class,
        description =
            "With --fleet: also put the figures there so often while the program runs, such as"
                + " 10m.")
    private @Nullable Duration every;

    FleetWords.Target target() {
      return new FleetWords.Target(place, service, version, host, hashed, withArguments);
    }
  }

  /** Before the program runs, refuses what would be refused at its end. */
  void check() throws Failure {
    if (fleet != null) {
      words().check(fleet.target());
    }
  }

  /**
   * Adds what a run left. The program's exit code stays: what fails is said, and nothing is lost.
   */
  void add(List<Path> files, PrintStream err) {
    if (fleet == null) {
      return;
    }
    String problem = problem(files, fleet, err);
    if (!problem.isEmpty()) {
      err.println("offcut: " + problem);
      err.println("  later: offcut fleet add " + files.getFirst() + " --to " + fleet.place + " …");
    }
  }

  /** Adds files; returns what failed, or nothing. */
  private static String problem(List<Path> files, Fleet to, PrintStream heard) {
    try {
      words().add(files, to.target(), heard);
      return "";
    } catch (Failure e) {
      return e.sentence();
    } catch (RuntimeException e) {
      return e.toString(); // a bug; the program's exit code stays
    }
  }

  /**
   * Adds what the JVMs have published, as often as was asked for, until it is closed; null if
   * nobody asked for it. Only what is wrong is said, and once.
   */
  @Nullable ScheduledExecutorService whileItRuns(Supplier<List<Path>> published, PrintStream err) {
    Fleet to = fleet;
    if (to == null || to.every == null) {
      return null;
    }
    long millis = to.every.toMillis();
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("offcut run --fleet").factory());
    var _ =
        clock.scheduleWithFixedDelay(
            () -> addNow(published.get(), to, err), millis, millis, TimeUnit.MILLISECONDS);
    return clock;
  }

  private void addNow(List<Path> files, Fleet to, PrintStream err) {
    if (files.isEmpty()) {
      return;
    }
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    String problem;
    try (PrintStream heard = new PrintStream(lines, true, StandardCharsets.UTF_8)) {
      int exitCode = words().add(files, to.target(), heard);
      problem =
          exitCode == ExitCode.OK
              ? ""
              : lines.toString(StandardCharsets.UTF_8).lines().findFirst().orElse("");
    } catch (Failure e) {
      problem = "offcut: " + e.sentence();
    } catch (RuntimeException e) {
      problem = "offcut: " + e; // a bug; the next time would else never come
    }
    if (!problem.isEmpty() && !problem.equals(said)) {
      err.println(problem);
    }
    said = problem;
  }

  private static FleetWords words() throws Failure {
    return ServiceLoader.load(FleetWords.class)
        .findFirst()
        .orElseThrow(
            () ->
                Failure.other(
                    "offcut-fleet.jar, which --fleet needs, is not on the class path; use `./offcut"
                        + " run` in a clone, which builds it"));
  }
}
