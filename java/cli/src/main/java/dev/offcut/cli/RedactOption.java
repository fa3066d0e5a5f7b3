package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.report.Redaction;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.Option;

/** What a report leaves out, so that it can be passed on. */
final class RedactOption {
  @Option(
      names = "--redact",
      split = ",",
      paramLabel = "args,env,paths",
      description =
          "Leave out the program's arguments, its environment (which is never in a report), and the"
              + " folders of files.")
  private List<Redaction> what = List.of();

  Digest apply(Digest digest) {
    EnumSet<Redaction> all = EnumSet.noneOf(Redaction.class);
    all.addAll(what);
    return Redaction.apply(digest, all);
  }
}
