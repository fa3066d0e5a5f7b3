package dev.offcut.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The words together. By itself it says what they are. */
@Command(
    name = "offcut",
    description = "Native memory and handles of JVM programs: who has them, and who forgot them.")
final class Offcut {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;
}
