package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code --fleet} of {@code run}, and the options that say more of it. */
final class FleetOption {
  private static final Pattern TIME = Pattern.compile("([1-9][0-9]{0,5})([smh])");

  @Option(
      names = "--fleet",
      paramLabel = "DIR",
      description =
          "At the end, also put the figures into a fleet; needs --service and --version. `offcut fleet"
              + " --help` explains these options. A program that was killed by a signal is added, too.")
  private @Nullable String place;

  @Option(names = "--service", paramLabel = "NAME", description = "With --fleet: the service.")
  private @Nullable String service;

  @Option(names = "--version", paramLabel = "VERSION", description = "With --fleet: its version.")
  private @Nullable String version;

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
      description =
          "With --fleet: also put the figures there so often while the program runs, such as 10m.")
  private @Nullable String every;

  /** What was said last of figures that could not be added while the program runs. */
  private String said = "";

  /** Before the program runs, refuses what would be refused at its end. */
  void check() throws Failure {
    if (place == null) {
      if (service != null
          || version != null
          || host != null
          || hashed
          || withArguments
          || every != null) {
        throw Failure.of(
            ExitCode.USAGE,
            "--service, --version, --host, --hash-hosts, --with-arguments and --every need --fleet DIR");
      }
    } else if (service == null || version == null) {
      throw Failure.of(ExitCode.USAGE, "--fleet needs --service NAME and --version VERSION");
    } else {
      everyMillis();
      words().check(target(place, service, version));
    }
  }

  private FleetWords.Target target(String to, String name, String number) {
    return new FleetWords.Target(to, name, number, host, hashed, withArguments);
  }

  /**
   * Adds what a run left. The program's exit code stays: what fails is said, and nothing is lost.
   */
  void add(List<Path> files, PrintStream err) {
    if (place == null || service == null || version == null) {
      return;
    }
    try {
      words().add(files, target(place, service, version), err);
    } catch (Failure e) {
      err.println("offcut: " + e.sentence());
      sayLater(files, err);
    } catch (RuntimeException e) {
      err.println("offcut: " + e); // a bug; the program's exit code stays
      sayLater(files, err);
    }
  }

  private void sayLater(List<Path> files, PrintStream err) {
    err.println("  later: offcut fleet add " + files.getFirst() + " --to " + place + " …");
  }

  /** 0 if nobody asked for it. */
  private long everyMillis() throws Failure {
    if (every == null) {
      return 0;
    }
    Matcher time = TIME.matcher(every);
    if (!time.matches()) {
      throw Failure.of(ExitCode.USAGE, "--every " + every + " is no time, such as 30s, 10m or 1h");
    }
    return Long.parseLong(time.group(1))
        * switch (time.group(2)) {
          case "s" -> 1000L;
          case "m" -> 60_000L;
          default -> 3600_000L;
        };
  }

  /**
   * Adds what the JVMs have published, as often as was asked for, until it is closed; null if
   * nobody asked for it. Only what is wrong is said, and once.
   */
  @Nullable ScheduledExecutorService whileItRuns(Supplier<List<Path>> published, PrintStream err)
      throws Failure {
    long millis = everyMillis();
    if (millis == 0) {
      return null;
    }
    ScheduledExecutorService clock =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "offcut run --fleet");
              thread.setDaemon(true);
              return thread;
            });
    var _ =
        clock.scheduleWithFixedDelay(
            () -> addNow(published.get(), err), millis, millis, TimeUnit.MILLISECONDS);
    return clock;
  }

  private void addNow(List<Path> files, PrintStream err) {
    if (files.isEmpty() || place == null || service == null || version == null) {
      return;
    }
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    String problem = "";
    try (PrintStream heard = new PrintStream(lines, true, StandardCharsets.UTF_8)) {
      if (words().add(files, target(place, service, version), heard) != ExitCode.OK) {
        problem = lines.toString(StandardCharsets.UTF_8).lines().findFirst().orElse("");
      }
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
                    "offcut-fleet.jar, which --fleet needs, is not on the class path; use `./offcut run`"
                        + " in a clone, which builds it"));
  }
}
