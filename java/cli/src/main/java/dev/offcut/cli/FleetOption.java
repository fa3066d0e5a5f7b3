package dev.offcut.cli;

import dev.offcut.cli.source.Failure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** {@code --fleet} of {@code run}, and the options that say more of it. */
final class FleetOption {
  @Option(
      names = "--fleet",
      paramLabel = "DIR",
      description =
          "At the end, also put the figures into a fleet; needs --service and --version. `offcut fleet"
              + " --help` explains these options. A program that was killed by a signal is added, too.")
  private @Nullable Path folder;

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

  /** Before the program runs, refuses what would be refused at its end. */
  void check() throws Failure {
    if (folder == null) {
      if (service != null || version != null || host != null || hashed || withArguments) {
        throw Failure.of(
            ExitCode.USAGE,
            "--service, --version, --host, --hash-hosts and --with-arguments need --fleet DIR");
      }
    } else if (service == null || version == null) {
      throw Failure.of(ExitCode.USAGE, "--fleet needs --service NAME and --version VERSION");
    } else {
      words().check(target(folder, service, version));
    }
  }

  private FleetWords.Target target(Path to, String name, String number) {
    return new FleetWords.Target(to, name, number, host, hashed, withArguments);
  }

  /**
   * Adds what a run left. The program's exit code stays: what fails is said, and nothing is lost.
   */
  void add(List<Path> files, PrintStream err) {
    if (folder == null || service == null || version == null) {
      return;
    }
    try {
      words().add(files, target(folder, service, version), err);
    } catch (Failure e) {
      err.println("offcut: " + e.sentence());
      err.println("  later: offcut fleet add " + files.getFirst() + " --to " + folder + " …");
    }
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
