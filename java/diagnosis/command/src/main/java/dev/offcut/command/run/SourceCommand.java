package dev.offcut.command.run;

import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Sources;
import dev.offcut.command.read.Sources.Reading;
import dev.offcut.command.show.DiffText;
import dev.offcut.command.show.DigestJson;
import dev.offcut.command.show.Format;
import dev.offcut.command.show.Page;
import dev.offcut.command.show.Redaction;
import dev.offcut.command.show.ReportText;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A word that reads a source and says something about it: {@code report} and {@code export}. {@code
 * diff} reads two.
 */
public abstract class SourceCommand extends Word {
  @Parameters(
      arity = "0..1",
      paramLabel = "SRC",
      description =
          "The PID of a program, the file of a run (*.offcut), a recording, or a directory of"
              + " recordings. Default: the last run; `offcut ps` lists the runs.")
  private String given = "";

  @Option(names = "--no-color", description = "Print no colours, not even on a terminal.")
  private boolean plain;

  SourceCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** Refuses what cannot be done, before the source is read. */
  void check() throws Failure {}

  Reading read(String from) throws Failure {
    return Sources.read(from);
  }

  /** Says it, and returns the exit code unless the source was cut off. */
  abstract int say(Reading reading) throws Failure;

  final boolean coloured() {
    return !plain && Terminal.hasColour();
  }

  @Override
  public Integer call() throws Failure {
    check();
    String source = Sources.found(given);
    if (!source.equals(given)) {
      err.println("offcut: reading " + source);
    }
    Reading reading = read(source);
    int exitCode = say(reading);
    if (reading.cutOff()) {
      err.println("offcut: the end of " + source + " is missing; what could be read is shown");
    }
    return reading.cutOff() && exitCode == ExitCode.OK ? Failure.UNREADABLE : exitCode;
  }

  @Command(
      name = "report",
      addMethodSubcommands = false,
      description =
          "Shows everything known about a run, a recording or a running program: as text, JSON or"
              + " a page. SRC may also be the PID of any other process, with or without the agent:"
              + " the report then says where its resident memory is.")
  public static final class Report extends SourceCommand {
    @Option(names = "--json", description = "As JSON, offcut.report/2, on stdout.")
    private boolean json;

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE.html",
        description = "Write a page: one file that needs no network.")
    private @Nullable Path output;

    @Option(
        names = {"-f", "--force"},
        description = "Overwrite an existing file.")
    private boolean force;

    @Mixin private final Redact redact = new Redact();

    @Mixin private final FailOn failOn = new FailOn();

    @Mixin private final BaselineOption baseline = new BaselineOption();

    @Mixin private final HoldersOption holders = new HoldersOption();

    @Mixin private final CollectOption collect = new CollectOption();

    public Report(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    void check() throws Failure {
      if (output != null) {
        new OutputFile(output, force).check();
      }
      baseline.check(force);
    }

    @Override
    Reading read(String from) throws Failure {
      if (!Sources.isPid(from)) {
        if (holders.isAsked() || collect.isAsked()) {
          throw Failure.other(
              "%s needs the PID of a running JVM, and not %s; `offcut run` %s"
                  .formatted(
                      holders.isAsked() ? "--holders" : "--collect",
                      from,
                      holders.isAsked()
                          ? "--holders finds them when its program is about to end"
                          : "collects garbage at the end of its program by itself"));
        }
        return Sources.look(from);
      }
      long pid = Sources.pid(from);
      Reading reading = collect.isAsked() ? collect.read(pid, err) : offered(pid);
      Digest digest = reading.digest();
      return holders.isAsked()
          ? new Reading(digest.with(holders.of(pid, digest, err)), reading.cutOff())
          : reading;
    }

    private static Reading offered(long pid) throws Failure {
      Reading reading = Sources.look(String.valueOf(pid));
      Digest digest = reading.digest();
      return new Reading(digest.withNotes(CollectOption.offer(pid, digest)), reading.cutOff());
    }

    @Override
    int say(Reading all) throws Failure {
      Reading reading = baseline.applied(all);
      Digest digest = redact.apply(reading.digest());
      baseline.write(force, err);
      if (output != null) {
        new OutputFile(output, force).write(Page.of(digest));
        err.println("offcut: wrote " + output);
      }
      if (json) {
        out.println(DigestJson.of(digest));
      } else if (output == null) {
        out.print(redact.command(digest));
        out.print(ReportText.of(digest, coloured()));
      }
      FailOn.Verdict verdict = failOn.check(reading, "");
      verdict.lines().forEach(line -> err.println("offcut: " + line));
      return verdict.exitCode();
    }
  }

  @Command(
      name = "diff",
      addMethodSubcommands = false,
      description =
          "Shows what grew and what shrank from BASE to NEW: two runs, or one program at two"
              + " times.")
  public static final class Diff extends Word {
    @Parameters(
        index = "0",
        paramLabel = "BASE",
        description = "The earlier run, as SRC of" + " `offcut report`.")
    private String base = "";

    @Parameters(
        index = "1",
        paramLabel = "NEW",
        description = "The later run, as SRC of `offcut" + " report`.")
    private String other = "";

    public Diff(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws Failure {
      Reading before = Sources.read(Sources.found(base));
      Reading after = Sources.read(Sources.found(other));
      out.print(DiffText.of(before.digest(), after.digest()));
      if (before.cutOff() || after.cutOff()) {
        err.println("offcut: the end of " + (before.cutOff() ? base : other) + " is missing");
        return Failure.UNREADABLE;
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "export",
      addMethodSubcommands = false,
      description =
          "Writes the data of a run, a recording or a running program in the format of another"
              + " tool.")
  public static final class Export extends SourceCommand {
    @Option(
        names = "--to",
        required = true,
        paramLabel = "FORMAT",
        description =
            "json (offcut.report/2), collapsed (bytes held by stack) or pprof (for `go tool"
                + " pprof`).")
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

    @Mixin private final Redact redact = new Redact();

    public Export(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    void check() throws Failure {
      if (output != null) {
        new OutputFile(output, force).check();
      }
    }

    @Override
    int say(Reading reading) throws Failure {
      Digest digest = reading.digest();
      byte[] bytes = format.bytes(redact.apply(digest));
      if (output == null) {
        out.writeBytes(bytes);
        out.flush();
      } else {
        new OutputFile(output, force).write(bytes);
      }
      String leftOut = format.leftOut(digest);
      if (leftOut != null) {
        err.println("offcut: " + leftOut);
      }
      return ExitCode.OK;
    }
  }

  /** What a report leaves out, so that it can be passed on. */
  static final class Redact {
    @Option(
        names = "--redact",
        split = ",",
        paramLabel = "args,paths",
        description =
            "paths: leave out the folders of files. args: leave out the program's arguments, also"
                + " with --show-args.")
    private List<Redaction> what = List.of();

    @Option(
        names = "--show-args",
        description = "Show the program's arguments: passwords may be among them.")
    private boolean showArguments;

    String command(Digest digest) {
      return showArguments ? "command: " + String.join(" ", digest.target().command()) + "\n" : "";
    }

    Digest apply(Digest digest) {
      EnumSet<Redaction> all = EnumSet.noneOf(Redaction.class);
      all.addAll(what);
      if (!showArguments) {
        all.add(Redaction.args);
      }
      return Redaction.apply(digest, all);
    }
  }
}
