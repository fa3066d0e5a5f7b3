package dev.offcut.command.run;

import dev.offcut.command.judge.Finding;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.RunArchive.End;
import dev.offcut.command.read.Sources;
import dev.offcut.command.read.Sources.Reading;
import dev.offcut.command.run.ProgramRun.Left;
import dev.offcut.command.run.SourceCommand.Redact;
import dev.offcut.command.run.WebCommand.Address;
import dev.offcut.command.show.DigestJson;
import dev.offcut.command.show.LiveServer;
import dev.offcut.command.show.Page;
import dev.offcut.command.show.ReportText;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code offcut run}. */
@Command(
    name = "run",
    addMethodSubcommands = false,
    sortOptions = false,
    description =
        "Runs a Java program unchanged under the agent, or a Go program, and reports what it leaked"
            + " and where its memory is. The program keeps its input, output, signals and exit"
            + " code.",
    customSynopsis = {
      "offcut run [OPTIONS] -- java …      your program",
      "       offcut run [OPTIONS] [--rows N --queries N --forget SHARE]      the bundled"
          + " program, SQLite on handles"
    },
    footer = {
      "",
      "The report goes to stderr, since stdout is the program's. The counts are written to"
          + " offcut-MAIN.PID.offcut, and the page to offcut-MAIN.PID.html, in this directory.",
      "Exit codes: the program's own; if that is 0, 3 if a --fail-on check fails, and 5 if it"
          + " cannot be answered; 125 if Offcut failed, 126 if the program cannot be executed, 127"
          + " if it was not found. The checks are also about the JVMs that a command other than"
          + " java starts."
    })
public final class RunCommand extends Word {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "NAME",
      description =
          "Write NAME.offcut and NAME.html, and the report to NAME.txt instead of stderr.")
  private @Nullable Path output;

  @Option(
      names = {"-f", "--force"},
      description = "Overwrite existing files.")
  private boolean force;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "What is recorded. off: nothing. count: counts. sample: counts, and the stacks of the"
              + " first openings and of one in 128 after that. full: counts, and every stack, for"
              + " tests (default: ${DEFAULT-VALUE}).")
  private AgentOptions.Level level = AgentOptions.Level.sample;

  @Mixin private final AgentOptions agent = new AgentOptions();

  @Option(names = "--web", description = "Show the program live: prints the address of a page.")
  private boolean web;

  @Mixin private final Address address = new Address();

  @Mixin private final Redact redact = new Redact();

  @Mixin private final FailOn failOn = new FailOn();

  @Mixin private final BaselineOption baseline = new BaselineOption();

  @Option(
      names = "--record",
      description =
          "Also make a Flight Recorder recording, NAME.jfr, with the JDK's events, too. It costs the"
              + " program some 0.8 s of CPU at its start.")
  private boolean record;

  @Option(
      names = "--native",
      paramLabel = "on|off",
      description =
          "Whether malloc is sampled, which names the lines that take native memory (default:"
              + " ${DEFAULT-VALUE}). Linux only.")
  private AgentOptions.Switch nativeMemory = AgentOptions.Switch.on;

  @Mixin private final HoldersOption holders = new HoldersOption();

  @Mixin private final FleetOption fleet = new FleetOption();

  @Option(names = "--no-report", description = "Write only NAME.offcut: no text, no page.")
  private boolean noReport;

  @Parameters(arity = "0..*", hidden = true)
  private List<String> words = List.of();

  @Spec private @Nullable CommandSpec spec;

  private final List<FailOn.Verdict> verdicts = new ArrayList<>();

  private boolean bundled;

  public RunCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  public void runBundled() {
    bundled = true;
  }

  public RunCommand with(List<String> command) {
    words = command;
    return this;
  }

  @Override
  public Integer call() throws Failure {
    if (bundled && !words.isEmpty() && !words.getFirst().startsWith("-")) {
      throw misuse(
          "to run a program of yours, put -- before it: offcut run -- " + words.getFirst());
    }
    if (!bundled && words.isEmpty()) {
      throw misuse("there is no program after --; write: offcut run -- java …");
    }
    RunFiles files = new RunFiles(output, force);
    try {
      files.check();
      baseline.check(force);
      fleet.check();
      return run(files);
    } catch (Failure e) {
      // The program's exit code is ours: what fails here must not look like it.
      throw e.exitCode() < Child.WRAPPER_FAILED
          ? Failure.of(Child.WRAPPER_FAILED, e.sentence())
          : e;
    } catch (RuntimeException | Error e) {
      e.printStackTrace(err); // a bug here, or no memory left
      return Child.WRAPPER_FAILED;
    }
  }

  private ParameterException misuse(String sentence) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), sentence);
  }

  private List<String> options() {
    List<String> options = new ArrayList<>(agent.options(level));
    if (nativeMemory == AgentOptions.Switch.off) {
      options.add("native=off");
    }
    return options;
  }

  private ProgramRun.@Nullable Retrofit retrofit() throws Failure {
    String options = agent.retrofit();
    return options == null ? null : new ProgramRun.Retrofit(AgentOptions.retrofitJar(), options);
  }

  private int run(RunFiles files) throws Failure {
    ProgramRun.Plan plan =
        new ProgramRun.Plan(
            bundled ? BundledProgram.command(words) : words,
            AgentOptions.jar(),
            options(),
            retrofit(),
            record && level != AgentOptions.Level.off,
            level == AgentOptions.Level.off ? -1 : holders.longestAtEnd(),
            Terminal.hasKeys(),
            Terminal.hasProgress());
    if (plan.record()) {
      FreeSpace.checkForRecording(Path.of(System.getProperty("java.io.tmpdir")));
    }
    try (LiveServer server = web ? address.listen(err) : null;
        ProgramRun run =
            new ProgramRun(
                plan, err, server == null ? null : digest -> publish(server, digest, false))) {
      int exitCode;
      try (ScheduledExecutorService _ = fleet.whileItRuns(run::published, err)) {
        exitCode = run.run();
      }
      Digest digest;
      try {
        digest = report(run, files, exitCode);
      } catch (Failure | IOException | RuntimeException | OutOfMemoryError e) {
        err.println(
            "offcut: what the program left stays in "
                + run.keep()
                + "; `offcut report` with this directory reads it");
        throw e;
      }
      if (digest != null) {
        publish(server, digest, true);
      }
      return exitCode(exitCode);
    } catch (IOException e) {
      throw Failure.other(String.valueOf(e.getMessage()));
    }
  }

  private void publish(@Nullable LiveServer server, Digest digest, boolean last) {
    if (server != null) {
      server.publish(DigestJson.of(redact.apply(digest)), last);
    }
  }

  /** Null if there is nothing to report on. */
  private @Nullable Digest report(ProgramRun run, RunFiles files, int exitCode)
      throws Failure, IOException {
    List<Left> all = run.left();
    if (all.isEmpty()) {
      err.println(
          level == AgentOptions.Level.off
              ? "offcut: there is no report: at level off nothing is counted"
              : "offcut: there is no report: the program left no counts (exit code "
                  + exitCode
                  + (exitCode == 0 ? "); was" : "). Its own output may say why. If not: was")
                  + " it a JVM 17 or newer, or a Go program, and did it run for a quarter of a"
                  + " second?");
      if (failOn.isAsked()) {
        verdicts.add(FailOn.unanswered("", "there are no counts"));
      }
      return null;
    }
    Left left = all.getFirst();
    End end = new End(exitCode, run.wasFull());
    Reading reading = read(left);
    Digest digest = reading.digest().withEnd(exitCode, run.wasFull());
    files.name(digest.target());
    files.keep(left, end);
    verdicts.add(failOn.check(reading, ""));
    for (Left other : all.subList(1, all.size())) {
      Reading known = read(other);
      Digest.Target target = known.digest().target();
      verdicts.add(failOn.check(known, " of process " + target.pid()));
      files.keepOther(other, target, err);
      sayFindings(known.digest());
    }
    if (!noReport) {
      files.text(ReportText.of(digest, false), err);
      files.page(Page.of(redact.apply(digest)));
    }
    baseline.write(force, err);
    files.sayWhatIsNext(err);
    fleet.add(files.kept(), err);
    return digest;
  }

  /** The last lines that are printed: why the exit code is not 0, or what 0 does not say. */
  private int exitCode(int ofProgram) {
    List<Integer> all = verdicts.stream().map(FailOn.Verdict::exitCode).toList();
    int checked =
        all.contains(Failure.FINDINGS)
            ? Failure.FINDINGS
            : all.stream().mapToInt(code -> code).max().orElse(0);
    int last = ofProgram == 0 ? checked : ofProgram;
    verdicts.stream()
        .filter(verdict -> last == 0 || verdict.exitCode() != 0)
        .flatMap(verdict -> verdict.lines().stream())
        .forEach(line -> err.println("offcut: " + line));
    return last;
  }

  /** The report is about the JVM that ended last. */
  private void sayFindings(Digest other) {
    List<Finding> all =
        other.findings().stream().filter(one -> one.severity() != Finding.Severity.NOTE).toList();
    if (!all.isEmpty()) {
      err.println(
          "offcut: findings in it: %s; the first: %s %s"
              .formatted(all.size(), all.getFirst().severity().name(), all.getFirst().title()));
    }
  }

  private Reading read(Left left) throws Failure {
    return baseline.applied(Sources.ofEnded(left.source(), left.outside()));
  }
}
