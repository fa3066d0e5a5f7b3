package dev.offcut.command.run;

import dev.offcut.command.read.Failure;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The words of {@code offcut fleet}, and what {@code offcut run --fleet} needs. They are a service,
 * since DuckDB is many times larger than the command: who does not ask for it does not have it.
 */
public interface FleetWords {
  /**
   * Where sources are added, and what is said of them.
   *
   * @param place a folder, or {@code s3://BUCKET/PREFIX}
   * @param host null: this machine
   * @param hashed whether a hash takes the place of the host's name
   * @param withArguments whether arguments of programs and folders of files are kept
   */
  record Target(
      String place,
      String service,
      String version,
      @Nullable String host,
      boolean hashed,
      boolean withArguments) {}

  /** {@code fleet} with its words. */
  CommandSpec command(PrintStream out, PrintStream err);

  /** Refuses what nothing can be added to, before there is anything. */
  void check(Target target) throws Failure;

  /** Adds files of runs, and says so. Returns what the word ends with. */
  int add(List<Path> files, Target target, PrintStream err) throws Failure;
}
