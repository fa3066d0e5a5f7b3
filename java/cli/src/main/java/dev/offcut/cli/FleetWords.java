package dev.offcut.cli;

import java.io.PrintStream;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The words of {@code offcut fleet}. They are a service, since DuckDB is many times larger than the
 * command: who does not ask for it does not have it.
 */
public interface FleetWords {
  /** {@code fleet} with its words. */
  CommandSpec command(PrintStream out, PrintStream err);
}
