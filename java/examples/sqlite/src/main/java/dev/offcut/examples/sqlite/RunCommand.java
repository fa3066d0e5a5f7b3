package dev.offcut.examples.sqlite;

import dev.offcut.handle.Detection;
import dev.offcut.handle.Handles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options, and one run by them. */
@Command(
    name = "offcut run",
    mixinStandardHelpOptions = true,
    versionProvider = RunCommand.Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Imports rows into SQLite, asks queries that each have a prepared statement of their own,"
            + " and accounts for every statement: closed, or forgotten and reclaimed.",
    footer = {
      "",
      "The table must not be there yet. A database file that is made here is removed again if the"
          + " import fails or is interrupted; one that was there before is left as it was.",
      "",
      "The report goes to stdout. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted by"
          + " Ctrl-C, with a report of what was done so far."
    })
final class RunCommand implements Callable<Integer> {
  private static final int DEFAULT_ROWS = 200_000;
  private static final int MAX_THREADS = 1000;
  private static final int INTERRUPTED = 130;
  private static final String DETECTION_PROPERTY = "offcut.handle.detection";

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Import this CSV file: UTF-8, a header line, look-ups by its first column.")
  private @Nullable Path csv;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Without --csv: generate N rows (default: " + DEFAULT_ROWS + ").")
  private @Nullable Integer rows;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "500000",
      description = "Ask N queries (default: ${DEFAULT-VALUE}).")
  private int queries;

  @Option(
      names = "--forget",
      paramLabel = "SHARE",
      converter = Share.Converter.class,
      description = "Drop this share of the statements without a close: 1%%, 0.5%%, 0.01.")
  private Share forget = Share.NONE;

  @Option(
      names = "--db",
      paramLabel = "FILE",
      description = "The database file (default: in memory).")
  private @Nullable Path db;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      defaultValue = "records",
      description = "The new table (default: ${DEFAULT-VALUE}).")
  private String table = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Ask in N threads on one connection, where SQLite runs one call at a time"
              + " (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--detection",
      paramLabel = "LEVEL",
      description =
          "What is recorded of openings: off, count, sample (one site in 128) or full"
              + " (default: sample with --forget, else count).")
  private @Nullable Detection detection;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "For the generated rows and the choice of queries (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Show no progress.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say how far it is, also where stderr is no terminal.")
  private boolean verbose;

  @Spec private @Nullable CommandSpec spec;

  private final OutputStream out;
  private final PrintStream err;
  private final Interrupt interrupt;

  RunCommand(OutputStream out, PrintStream err, Interrupt interrupt) {
    this.out = out;
    this.err = err;
    this.interrupt = interrupt;
  }

  /** The answer to {@code --version}. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"SQLite " + Database.version()};
    }
  }

  @Override
  public Integer call() throws BadInput {
    check();
    setDetection();
    Report report = report();
    print(json ? JsonReport.of(report) : TextReport.of(report));
    long wrong = report.asked().counts().wrong;
    if (wrong > 0) {
      throw new BadInput(wrong + " answers were not what was imported");
    }
    return report.interrupted() ? INTERRUPTED : CommandLine.ExitCode.OK;
  }

  private void check() {
    require(csv == null || rows == null, "--rows is for generated rows; leave it out with --csv");
    require(rows == null || rows > 0, "--rows must be at least 1");
    require(queries >= 0, "--queries must not be negative");
    require(threads > 0 && threads <= MAX_THREADS, "--threads must be 1 to " + MAX_THREADS);
    require(!table.isBlank(), "--table needs a name");
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), otherwise);
    }
  }

  /** What forgets should be told where; what was said on the command line holds. */
  private void setDetection() {
    if (detection != null) {
      Handles.detection(detection);
    } else if (forget.parts() > 0 && System.getProperty(DETECTION_PROPERTY) == null) {
      Handles.detection(Detection.SAMPLE);
    }
  }

  private Report report() throws BadInput {
    try (Progress progress = new Progress(err, style());
        Records records = records();
        Target target = Target.of(db)) {
      Report.Setting setting =
          new Report.Setting(
              Database.version(), records.source(), target.name(), queries, forget, threads, seed);
      try {
        return new Job(setting, progress, interrupt).run(target, table, records);
      } catch (SqliteException e) {
        throw new BadInput(target.name() + ": " + e.reason() + " (SQLite code " + e.code() + ")");
      }
    }
  }

  private Records records() throws BadInput {
    return csv == null ? new Orders(rows == null ? DEFAULT_ROWS : rows, seed) : CsvFile.open(csv);
  }

  private Progress.Style style() {
    if (quiet) {
      return Progress.Style.SILENT;
    }
    if (Terminal.isWatched()) {
      return Progress.Style.BAR;
    }
    return verbose ? Progress.Style.LINES : Progress.Style.SILENT;
  }

  /** A reader that has seen enough, as {@code head} has, is no failure. */
  private void print(String text) throws BadInput {
    try {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    } catch (IOException e) {
      if (!"Broken pipe".equals(e.getMessage())) {
        throw new BadInput("cannot write the report: " + e.getMessage());
      }
    }
  }
}
