package dev.offcut.fleet.command;

import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import dev.offcut.command.run.FleetWords;
import dev.offcut.command.run.OutputFile;
import dev.offcut.fleet.Census;
import dev.offcut.fleet.Cluster;
import dev.offcut.fleet.Engine;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.FleetDiff;
import dev.offcut.fleet.FleetReport;
import dev.offcut.fleet.FleetTable;
import dev.offcut.fleet.Labels;
import dev.offcut.fleet.Source;
import dev.offcut.fleet.duckdb.DuckDbEngine;
import dev.offcut.fleet.duckdb.FleetAdd;
import dev.offcut.fleet.duckdb.FleetUpkeep;
import dev.offcut.fleet.duckdb.Incoming;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code offcut fleet}. The text of {@code --help} is {@code fleet.txt} of the command, so that it
 * can be shown without this module.
 */
public final class FleetCommand implements FleetWords {
  /** Rows of a list in JSON: what reads it has more room than a terminal. */
  private static final int MOST_ROWS = 500;

  /** So many files of a table take longer to open than to read. */
  private static final int MANY_FILES = 200;

  private static final long DAY_MS = 24 * 3600_000L;

  /** Made by the command, as a service. */
  public FleetCommand() {}

  @Override
  public CommandSpec command(PrintStream out, PrintStream err) {
    CommandSpec fleet = CommandSpec.create().name("fleet");
    for (Object word :
        List.of(
            new Add(err),
            new Report(out, err),
            new Diff(out, err),
            new Sql(out, err),
            new Check(err),
            new Compact(err),
            new Drop(err))) {
      CommandSpec spec = CommandSpec.forAnnotatedObject(word);
      fleet.addSubcommand(spec.name(), spec);
    }
    return fleet;
  }

  @Override
  public void check(Target target) throws Failure {
    labels(target);
    Fleet.openOrMake(target.place());
  }

  @Override
  public int add(List<Path> files, Target target, PrintStream err) throws Failure {
    return addAll(Source.of(files), target, null, err);
  }

  private static int addAll(
      List<Source> sources, Target target, @Nullable Cluster cluster, PrintStream err)
      throws Failure {
    Labels labels = labels(target);
    Fleet fleet = Fleet.openOrMake(target.place());
    FleetAdd.Done done =
        cluster == null
            ? FleetAdd.add(sources, fleet, labels, Progress.on(err))
            : cluster.add(sources, fleet, labels, Progress.on(err));
    err.println("offcut: " + done.sentence(target.place()));
    if (fleet.files(FleetTable.PROCESSES).size() > MANY_FILES) {
      err.println("  next: offcut fleet compact " + target.place());
    }
    return done.skipped() == 0 ? ExitCode.OK : Failure.UNREADABLE;
  }

  private static Labels labels(Target target) throws Failure {
    String host = target.host();
    Labels labels =
        new Labels(
                target.service(),
                target.version(),
                host == null ? thisHost() : host,
                target.withArguments())
            .check();
    return target.hashed() ? labels.hashed() : labels;
  }

  private static String thisHost() throws Failure {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      throw Failure.other("this machine does not know its name; give --host NAME");
    }
  }

  /** A fleet with all that agents have put into it. What cannot be taken in is said. */
  private static Fleet open(String place, PrintStream err) throws Failure {
    Fleet fleet = Fleet.open(place);
    try {
      int taken = Incoming.take(fleet, Progress.on(err));
      if (taken > 0) {
        err.println("offcut: " + Incoming.sentence(taken));
      }
    } catch (Failure e) {
      err.println("offcut: figures from agents are left out: " + e.sentence());
    }
    return fleet;
  }

  private static int checkTop(int most) throws Failure {
    if (most < 1) {
      throw Failure.of(ExitCode.USAGE, "--top " + most + " is no number of rows; give 1 or more");
    }
    return most;
  }

  /** A word that an engine answers: DuckDB in this process, unless another one is named. */
  private abstract static class Word implements Callable<Integer> {
    @Option(names = "--engine", paramLabel = "URL")
    private @Nullable String engine;

    @Spec private @Nullable CommandSpec spec;

    private List<String> leftOut = List.of();

    final PrintStream err;

    Word(PrintStream err) {
      this.err = err;
    }

    /** The cluster that this program was submitted to, by the same words; null if it was not. */
    final @Nullable Cluster cluster() {
      return engine == null ? null : ServiceLoader.load(Cluster.class).findFirst().orElse(null);
    }

    final Engine open() throws Failure {
      Cluster cluster = cluster();
      return cluster == null ? DuckDbEngine.open() : cluster.open();
    }

    @Override
    public final Integer call() throws Failure {
      if (engine == null || cluster() != null) {
        return answer();
      }
      CommandLine line = Objects.requireNonNull(spec).commandLine();
      List<String> words = line.getParent().getParent().getParseResult().originalArgs();
      return SparkSubmit.run(engine, words.subList(1, words.size()), System.getenv(), err);
    }

    abstract Integer answer() throws Failure;

    /** Does something with what can be read of a fleet. */
    final <T> T with(String place, Engine engine, Census.Work<T> work) throws Failure {
      return Census.with(
          FleetCommand.open(place, err),
          engine,
          census -> {
            leftOut = census.problems();
            return work.with(census);
          });
    }

    /** Says what was left out; returns the exit code. */
    final int done() {
      leftOut.forEach(problem -> err.println("offcut: " + problem));
      return leftOut.isEmpty() ? ExitCode.OK : Failure.UNREADABLE;
    }
  }

  /** {@code offcut fleet add}. */
  @Command(name = "add", addMethodSubcommands = false)
  static final class Add extends Word {
    @Parameters(arity = "1..*", paramLabel = "SRC")
    private List<Path> sources = List.of();

    @Option(names = "--to", required = true, paramLabel = "DIR")
    private String to = "";

    @Option(names = "--service", required = true, paramLabel = "NAME")
    private String service = "";

    @Option(names = "--version", required = true, paramLabel = "VERSION")
    private String version = "";

    @Option(names = "--host", paramLabel = "NAME")
    private @Nullable String host;

    @Option(names = "--hash-hosts")
    private boolean hashed;

    @Option(names = "--with-arguments")
    private boolean withArguments;

    Add(PrintStream err) {
      super(err);
    }

    @Override
    Integer answer() throws Failure {
      return addAll(
          Source.of(sources),
          new Target(to, service, version, host, hashed, withArguments),
          cluster(),
          err);
    }
  }

  /** {@code offcut fleet report}. */
  @Command(name = "report", addMethodSubcommands = false)
  static final class Report extends Word {
    @Parameters(paramLabel = "DIR")
    private String place = "";

    @Option(names = "--top", paramLabel = "N")
    private @Nullable Integer top;

    @Option(names = "--since", paramLabel = "DATE")
    private @Nullable LocalDate since;

    @Option(names = "--json")
    private boolean json;

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE.html")
    private @Nullable Path output;

    @Option(names = "--pages", paramLabel = "FOLDER")
    private @Nullable Path pages;

    @Option(names = {"-f", "--force"})
    private boolean force;

    private final PrintStream out;

    Report(PrintStream out, PrintStream err) {
      super(err);
      this.out = out;
    }

    @Override
    Integer answer() throws Failure {
      boolean isText = !json && output == null;
      int most = checkTop(top != null ? top : isText ? ReportText.MOST_ROWS : MOST_ROWS);
      if (pages != null && !Files.isDirectory(pages)) {
        throw Failure.of(ExitCode.USAGE, "--pages " + pages + " is no folder");
      }
      OutputFile page = output == null ? null : new OutputFile(output, force).check();
      try (Engine engine = open()) {
        FleetReport report = with(place, engine, census -> FleetReport.of(engine, most, since));
        if (page != null) {
          page.write(FleetPage.of(report, Objects.requireNonNull(output), pages));
          err.println("offcut: wrote " + output);
        }
        if (json) {
          out.println(report.json());
        } else if (page == null) {
          out.print(ReportText.of(report));
        }
      }
      return done();
    }
  }

  /** {@code offcut fleet diff}. */
  @Command(name = "diff", addMethodSubcommands = false)
  static final class Diff extends Word {
    @Parameters(paramLabel = "DIR")
    private String place = "";

    @Option(names = "--from", paramLabel = "DATE")
    private @Nullable LocalDate from;

    @Option(names = "--to", paramLabel = "DATE")
    private @Nullable LocalDate to;

    @Option(names = "--versions", split = ",", paramLabel = "A,B")
    private List<String> versions = List.of();

    @Option(names = "--top", paramLabel = "N")
    private int top = ReportText.MOST_ROWS;

    @Option(names = "--json")
    private boolean json;

    private final PrintStream out;

    Diff(PrintStream out, PrintStream err) {
      super(err);
      this.out = out;
    }

    @Override
    Integer answer() throws Failure {
      boolean days = from != null && to != null && versions.isEmpty();
      boolean names = from == null && to == null && versions.size() == 2;
      if (!days && !names) {
        throw Failure.of(ExitCode.USAGE, "diff needs --from DATE and --to DATE, or --versions A,B");
      }
      checkTop(top);
      try (Engine engine = open()) {
        FleetDiff diff =
            with(
                place,
                engine,
                census ->
                    days
                        ? FleetDiff.ofDays(engine, String.valueOf(from), String.valueOf(to), top)
                        : FleetDiff.ofVersions(engine, versions.get(0), versions.get(1), top));
        for (String side : List.of("before", "after")) {
          if (diff.processes(side) == 0) {
            throw Failure.other(
                "the fleet has no processes "
                    + (days ? "that began on " : "of the version ")
                    + (side.equals("before") ? diff.from() : diff.to())
                    + "; `offcut fleet report` lists what it has");
          }
        }
        out.print(json ? diff.json() + "\n" : ReportText.of(diff));
      }
      return done();
    }
  }

  /** {@code offcut fleet compact}. */
  @Command(name = "compact", addMethodSubcommands = false)
  static final class Compact implements Callable<Integer> {
    @Parameters(paramLabel = "DIR")
    private String place = "";

    private final PrintStream err;

    Compact(PrintStream err) {
      this.err = err;
    }

    @Override
    public Integer call() throws Failure {
      FleetUpkeep.Done done =
          FleetUpkeep.compact(FleetCommand.open(place, err), Progress.on(err)::said);
      err.println("offcut: " + done.sentence());
      return ExitCode.OK;
    }
  }

  /** {@code offcut fleet drop}. */
  @Command(name = "drop", addMethodSubcommands = false)
  static final class Drop implements Callable<Integer> {
    @Parameters(paramLabel = "DIR")
    private String place = "";

    @Option(names = "--older-than", required = true, paramLabel = "DAYS")
    private String age = "";

    private final PrintStream err;

    Drop(PrintStream err) {
      this.err = err;
    }

    @Override
    public Integer call() throws Failure {
      if (!age.matches("[0-9]{1,5}d")) {
        throw Failure.of(
            ExitCode.USAGE, "--older-than " + age + " is no number of days, such as 90d");
      }
      long days = Long.parseLong(age.substring(0, age.length() - 1));
      FleetUpkeep.Done done =
          FleetUpkeep.drop(
              FleetCommand.open(place, err),
              System.currentTimeMillis() - days * DAY_MS,
              Progress.on(err)::said);
      err.println(
          "offcut: dropped "
              + Figures.count(done.dropped())
              + (done.dropped() == 1 ? " process" : " processes")
              + "; "
              + done.sentence());
      return ExitCode.OK;
    }
  }

  /** {@code offcut fleet sql}. */
  @Command(name = "sql", addMethodSubcommands = false)
  static final class Sql extends Word {
    @Parameters(index = "0", paramLabel = "DIR")
    private String place = "";

    @Parameters(index = "1", paramLabel = "QUERY")
    private String query = "";

    @Option(names = "--json")
    private boolean json;

    private final PrintStream out;

    Sql(PrintStream out, PrintStream err) {
      super(err);
      this.out = out;
    }

    @Override
    Integer answer() throws Failure {
      try (Engine engine = open()) {
        Engine.Answer answer = with(place, engine, census -> engine.ask(query));
        out.print(json ? FleetReport.json(answer) + "\n" : ReportText.table(answer));
      }
      return done();
    }
  }

  /** {@code offcut fleet check}. */
  @Command(name = "check", addMethodSubcommands = false)
  static final class Check implements Callable<Integer> {
    @Parameters(paramLabel = "DIR")
    private String place = "";

    private final PrintStream err;

    Check(PrintStream err) {
      this.err = err;
    }

    @Override
    public Integer call() throws Failure {
      Fleet fleet = FleetCommand.open(place, err);
      try (Engine engine = DuckDbEngine.open()) {
        List<String> problems = Census.check(fleet, engine);
        problems.forEach(problem -> err.println("offcut: " + problem));
        err.println(
            problems.isEmpty()
                ? "offcut: all files of " + place + " can be read, and none is missing"
                : "offcut: found " + Figures.count(problems.size(), "problem") + " in " + place);
        return problems.isEmpty() ? ExitCode.OK : Failure.UNREADABLE;
      }
    }
  }
}
