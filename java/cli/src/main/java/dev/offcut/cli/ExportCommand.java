package dev.offcut.cli;

import dev.offcut.cli.digest.Digest;
import dev.offcut.cli.export.Format;
import dev.offcut.cli.source.Failure;
import java.io.PrintStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offcut export}. */
@Command(name = "export", description = "What is known of a program, in a format of other tools.")
final class ExportCommand extends SourceCommand {
  @Option(
      names = "--to",
      required = true,
      paramLabel = "FORMAT",
      description =
          "json (offcut.report/1), csv (a row for each kind, type and place), collapsed (bytes held"
              + " by stack), pprof (for `go tool pprof`) or parquet (the rows of csv, typed).")
  private Format format = Format.json;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "The file (default: stdout).")
  private @Nullable Path output;

  @Option(
      names = {"-f", "--force"},
      description = "Overwrite an existing file.")
  private boolean force;

  @Mixin private final RedactOption redact = new RedactOption();

  ExportCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  void check() throws Failure {
    if (output != null) {
      new OutputFile(output, force).check();
    }
  }

  @Override
  int say(Digest digest) throws Failure {
    byte[] bytes = format.bytes(redact.apply(digest));
    if (output == null) {
      out.writeBytes(bytes);
      out.flush();
    } else {
      new OutputFile(output, force).write(bytes);
    }
    return ExitCode.OK;
  }
}
