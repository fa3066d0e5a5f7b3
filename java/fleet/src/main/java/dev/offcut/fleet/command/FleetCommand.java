package dev.offcut.fleet.command;

import dev.offcut.cli.FleetWords;
import dev.offcut.cli.source.Failure;
import dev.offcut.fleet.Census;
import dev.offcut.fleet.Engine;
import dev.offcut.fleet.Fleet;
import dev.offcut.fleet.FleetReport;
import dev.offcut.fleet.Labels;
import dev.offcut.fleet.Source;
import dev.offcut.fleet.duckdb.DuckDbEngine;
import dev.offcut.fleet.duckdb.FleetAdd;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code offcut fleet}. The text of {@code --help} is {@code fleet.txt} of the command, so that it
 * can be shown without this module.
 */
public final class FleetCommand implements FleetWords {
  /** Rows of a list in JSON: what reads it has more room than a terminal. */
  private static final int MOST_ROWS = 500;

  /** Made by the command, as a service. */
  public FleetCommand() {}

  @Override
  public CommandSpec command(PrintStream out, PrintStream err) {
    CommandSpec fleet = CommandSpec.create().name("fleet");
    for (Object word : List.of(new Add(err), new Report(out), new Sql(out))) {
      CommandSpec spec = CommandSpec.forAnnotatedObject(word);
      fleet.addSubcommand(spec.name(), spec);
    }
    return fleet;
  }

  /** {@code offcut fleet add}. */
  @Command(name = "add", addMethodSubcommands = false)
  static final class Add implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "SRC")
    private List<Path> sources = List.of();

    @Option(names = "--to", required = true, paramLabel = "DIR")
    private Path to = Path.of("");

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

    private final PrintStream err;

    Add(PrintStream err) {
      this.err = err;
    }

    @Override
    public Integer call() throws Failure {
      Labels given =
          new Labels(service, version, host == null ? thisHost() : host, withArguments).check();
      Labels labels = hashed ? given.hashed() : given;
      FleetAdd.Done done =
          FleetAdd.add(Source.of(sources), Fleet.openOrMake(to), labels, Progress.on(err));
      err.println("offcut: " + done.sentence(to));
      return done.skipped() == 0 ? ExitCode.OK : Failure.UNREADABLE;
    }

    private static String thisHost() throws Failure {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        throw Failure.other("this machine does not know its name; give --host NAME");
      }
    }
  }

  /** {@code offcut fleet report}. */
  @Command(name = "report", addMethodSubcommands = false)
  static final class Report implements Callable<Integer> {
    @Parameters(paramLabel = "DIR")
    private Path folder = Path.of("");

    @Option(names = "--top", paramLabel = "N")
    private @Nullable Integer top;

    @Option(names = "--since", paramLabel = "DATE")
    private @Nullable LocalDate since;

    @Option(names = "--json")
    private boolean json;

    private final PrintStream out;

    Report(PrintStream out) {
      this.out = out;
    }

    @Override
    public Integer call() throws Failure {
      int most = top != null ? top : json ? MOST_ROWS : ReportText.MOST_ROWS;
      if (most < 1) {
        throw Failure.of(ExitCode.USAGE, "--top " + most + " is no number of rows; give 1 or more");
      }
      try (Engine engine = DuckDbEngine.open()) {
        Census.open(Fleet.open(folder), engine);
        FleetReport report = FleetReport.of(engine, most, since);
        out.print(json ? report.json() + "\n" : ReportText.of(report));
      }
      return ExitCode.OK;
    }
  }

  /** {@code offcut fleet sql}. */
  @Command(name = "sql", addMethodSubcommands = false)
  static final class Sql implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIR")
    private Path folder = Path.of("");

    @Parameters(index = "1", paramLabel = "QUERY")
    private String query = "";

    @Option(names = "--json")
    private boolean json;

    private final PrintStream out;

    Sql(PrintStream out) {
      this.out = out;
    }

    @Override
    public Integer call() throws Failure {
      try (Engine engine = DuckDbEngine.open()) {
        Census.open(Fleet.open(folder), engine);
        Engine.Answer answer = engine.query(query);
        out.print(json ? FleetReport.json(answer) + "\n" : ReportText.table(answer));
      }
      return ExitCode.OK;
    }
  }
}
