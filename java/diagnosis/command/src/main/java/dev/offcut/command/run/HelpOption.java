package dev.offcut.command.run;

import picocli.CommandLine.Option;

/** {@code --help}, which each word has. */
final class HelpOption {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;
}
