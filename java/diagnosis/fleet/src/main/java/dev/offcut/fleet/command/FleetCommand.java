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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
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
    return CommandSpec.forAnnotatedObject(new Words(out, err));
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
            ? FleetAdd.add(sources, fleet, labels, new Progress(err))
            : cluster.add(sources, fleet, labels, new Progress(err));
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

  private static void checkTop(int most) throws Failure {
    if (most < 1) {
      throw Failure.of(ExitCode.USAGE, "--top " + most + " is no number of rows; give 1 or more");
    }
  }

  /** What answers: DuckDB in this process, unless another engine is named. */
  static final class Answering {
    @Option(names = "--engine", paramLabel = "URL")
    private @Nullable String engine;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec spec;

    interface Answer {
      int of(@Nullable Cluster cluster) throws Failure;
    }

    /**
     * Here, or on the cluster that this program was submitted to; else it submits the same words.
     */
    int run(PrintStream err, Answer answer) throws Failure {
      if (engine == null) {
        return answer.of(null);
      }
      Cluster cluster = ServiceLoader.load(Cluster.class).findFirst().orElse(null);
      if (cluster != null) {
        return answer.of(cluster);
      }
      var top = Objects.requireNonNull(spec).commandLine().getParent().getParent();
      List<String> words = top.getParseResult().originalArgs();
      return SparkSubmit.run(engine, words.subList(1, words.size()), System.getenv(), err);
    }
  }

  @Command(name = "fleet")
  static final class Words {
    private final PrintStream out;
    private final PrintStream err;
    private List<String> leftOut = List.of();

    Words(PrintStream out, PrintStream err) {
      this.out = out;
      this.err = err;
    }

    /** A fleet with all that agents have put into it. What cannot be taken in is said. */
    private Fleet open(String place) throws Failure {
      Fleet fleet = Fleet.open(place);
      try {
        int taken = Incoming.take(fleet, new Progress(err));
        if (taken > 0) {
          err.println(
              "offcut: took in the figures of " + ReportText.processes(taken) + " from agents");
        }
      } catch (Failure e) {
        err.println("offcut: figures from agents are left out: " + e.sentence());
      }
      return fleet;
    }

    private static Engine open(@Nullable Cluster cluster) throws Failure {
      return cluster == null ? DuckDbEngine.open() : cluster.open();
    }

    /** Does something with what can be read of a fleet. */
    private <T> T with(String place, Engine engine, Census.Work<T> work) throws Failure {
      return Census.with(
          open(place),
          engine,
          census -> {
            leftOut = census.problems();
            return work.with(census);
          });
    }

    /** Says what was left out; returns the exit code. */
    private int done() {
      leftOut.forEach(problem -> err.println("offcut: " + problem));
      return leftOut.isEmpty() ? ExitCode.OK : Failure.UNREADABLE;
    }

    @Command(name = "add")
    int add(
        @Parameters(arity = "1..*", paramLabel = "SRC") List<Path> sources,
        @Option(names = "--to", required = true, paramLabel = "DIR") String to,
        @Option(names = "--service", required = true, paramLabel = "NAME") String service,
        @Option(names = "--version", required = true, paramLabel = "VERSION") String version,
        @Option(names = "--host", paramLabel = "NAME") @Nullable String host,
        @Option(names = "--hash-hosts") boolean hashed,
        @Option(names = "--with-arguments") boolean withArguments,
        @Mixin Answering answering)
        throws Failure {
      Target target = new Target(to, service, version, host, hashed, withArguments);
      return answering.run(err, cluster -> addAll(Source.of(sources), target, cluster, err));
    }

    @Command(name = "report")
    int report(
        @Parameters(paramLabel = "DIR") String place,
        @Option(names = "--top", paramLabel = "N") @Nullable Integer top,
        @Option(names = "--since", paramLabel = "DATE") @Nullable LocalDate since,
        @Option(names = "--json") boolean json,
        @Option(
                names = {"-o", "--output"},
                paramLabel = "FILE.html")
            @Nullable Path output,
        @Option(names = "--pages", paramLabel = "FOLDER") @Nullable Path pages,
        @Option(names = {"-f", "--force"}) boolean force,
        @Mixin Answering answering)
        throws Failure {
      return answering.run(
          err,
          cluster -> {
            boolean isText = !json && output == null;
            int most = top != null ? top : isText ? ReportText.MOST_ROWS : MOST_ROWS;
            checkTop(most);
            if (pages != null && !Files.isDirectory(pages)) {
              throw Failure.of(ExitCode.USAGE, "--pages " + pages + " is no folder");
            }
            OutputFile page = output == null ? null : new OutputFile(output, force).check();
            try (Engine engine = open(cluster)) {
              FleetReport report =
                  with(place, engine, census -> FleetReport.of(engine, most, since));
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
          });
    }

    @Command(name = "diff")
    int diff(
        @Parameters(paramLabel = "DIR") String place,
        @Option(names = "--from", paramLabel = "DATE") @Nullable LocalDate from,
        @Option(names = "--to", paramLabel = "DATE") @Nullable LocalDate to,
        @Option(names = "--versions", split = ",", paramLabel = "A,B")
            @Nullable List<String> versions,
        @Option(names = "--top", paramLabel = "N", defaultValue = "" + ReportText.MOST_ROWS)
            int top,
        @Option(names = "--json") boolean json,
        @Mixin Answering answering)
        throws Failure {
      return answering.run(
          err,
          cluster -> {
            boolean days = from != null && to != null && versions == null;
            boolean names = from == null && to == null && versions != null && versions.size() == 2;
            if (!days && !names) {
              throw Failure.of(
                  ExitCode.USAGE, "diff needs --from DATE and --to DATE, or --versions A,B");
            }
            checkTop(top);
            try (Engine engine = open(cluster)) {
              FleetDiff diff =
                  with(
                      place,
                      engine,
                      census ->
                          versions == null
                              ? FleetDiff.ofDays(engine, "" + from, "" + to, top)
                              : FleetDiff.ofVersions(
                                  engine, versions.get(0), versions.get(1), top));
              checkHasProcesses(diff, days);
              out.print(json ? diff.json() + "\n" : ReportText.of(diff));
            }
            return done();
          });
    }

    private static void checkHasProcesses(FleetDiff diff, boolean days) throws Failure {
      for (String side : List.of("before", "after")) {
        if (diff.processes(side) == 0) {
          throw Failure.other(
              "the fleet has no processes "
                  + (days ? "that began on " : "of the version ")
                  + (side.equals("before") ? diff.from() : diff.to())
                  + "; `offcut fleet report` lists what it has");
        }
      }
    }

    @Command(name = "compact")
    int compact(@Parameters(paramLabel = "DIR") String place) throws Failure {
      FleetUpkeep.Done done = FleetUpkeep.compact(open(place), new Progress(err)::progress);
      err.println("offcut: " + done.sentence());
      return ExitCode.OK;
    }

    @Command(name = "drop")
    int drop(
        @Parameters(paramLabel = "DIR") String place,
        @Option(names = "--older-than", required = true, paramLabel = "DAYS") String age)
        throws Failure {
      if (!age.matches("[0-9]{1,5}d")) {
        throw Failure.of(
            ExitCode.USAGE, "--older-than " + age + " is no number of days, such as 90d");
      }
      long days = Long.parseLong(age.substring(0, age.length() - 1));
      long before = System.currentTimeMillis() - days * DAY_MS;
      FleetUpkeep.Done done = FleetUpkeep.drop(open(place), before, new Progress(err)::progress);
      err.println(
          "offcut: dropped " + ReportText.processes(done.dropped()) + "; " + done.sentence());
      return ExitCode.OK;
    }

    @Command(name = "sql")
    int sql(
        @Parameters(index = "0", paramLabel = "DIR") String place,
        @Parameters(index = "1", paramLabel = "QUERY") String query,
        @Option(names = "--json") boolean json,
        @Mixin Answering answering)
        throws Failure {
      return answering.run(
          err,
          cluster -> {
            try (Engine engine = open(cluster)) {
              Engine.Answer answer = with(place, engine, census -> engine.ask(query));
              out.print(json ? FleetReport.json(answer) + "\n" : ReportText.table(answer));
            }
            return done();
          });
    }

    @Command(name = "check")
    int check(@Parameters(paramLabel = "DIR") String place) throws Failure {
      Fleet fleet = open(place);
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
