package dev.offcut.bench.results;

import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suites;
import dev.offcut.bench.results.Pages.Readme;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code bench all}: measures every suite and writes the pages of results.
 *
 * <p>Exit status 0: everything was measured and written; 1: something was not, which the pages say;
 * 2: misused.
 */
@Command(
    name = "all",
    description = "Measures every suite, one after the other, and writes pages with the results.",
    sortOptions = false)
public final class AllCommand implements Callable<Integer> {
  private static final double MINUTES = 75;
  private static final double MINUTE = 60;

  /** The part of the time that builds may take, and a child that is over its time. */
  private static final double FOR_BUILDS = 0.02;

  /**
   * What is reserved for the first rounds of suites to come, in times of their estimates: there are
   * machines that take so long. What they do not need goes to their further rounds.
   */
  static final double SLOW = 1.15;

  @Option(names = "--quick", description = "Take at most a minute for each suite: a first look.")
  private boolean quick;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "Take about N minutes for all suites (default: 75): one round of each, however long, then"
              + " as many as there is time for.")
  private @Nullable Double minutes;

  @Option(
      names = "--jdks",
      split = ",",
      paramLabel = "HOME",
      description =
          "Measure the headline cases on these JDKs, too (default: those of Java 17, 25, 27 and 28"
              + " that the launcher finds).")
  private List<Path> homes = List.of();

  @Option(
      names = "--toolchains",
      split = ",",
      paramLabel = "VERSION",
      description = "And Go's with these versions of Go (default: ${DEFAULT-VALUE}).",
      defaultValue = "go1.27.0")
  private List<String> toolchains = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the rows are written (default: java/target/results; with --quick:"
              + " java/target/results-quick).")
  private @Nullable Path out;

  @Option(
      names = "--pages",
      paramLabel = "DIR",
      description =
          "Where the pages are written (default: docs/results; with --quick: beside the rows,"
              + " because a first look is no result).")
  private @Nullable Path pages;

  @Option(
      names = "--from",
      paramLabel = "DIR",
      description = "Measure nothing: make the pages from the rows in this folder.")
  private @Nullable Path from;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream stdout;
  private final PrintStream stderr;

  public AllCommand(PrintStream stdout, PrintStream stderr) {
    this.stdout = stdout;
    this.stderr = stderr;
  }

  @Override
  public Integer call() {
    if (from != null && (quick || out != null || minutes != null)) {
      throw misuse("--from measures nothing; leave out --quick, --minutes and --out");
    }
    if (quick && minutes != null) {
      throw misuse("--quick takes a minute for each suite; leave out --minutes");
    }
    if (from != null && !Files.isDirectory(from)) {
      stderr.println("bench all: there is no directory " + from);
      return 1;
    }
    Path root = Path.of(System.getProperty("offcut.root", "."));
    Path kept = from != null ? from : out != null ? out : root.resolve(ownFolder());
    try {
      Files.createDirectories(kept);
      if (pages != null) {
        Files.createDirectories(pages); // what cannot be is said before hours of measuring
      }
      if (from == null) {
        measure(root, kept.toAbsolutePath());
      }
      return write(root, kept);
    } catch (IOException e) {
      stderr.println("bench all: cannot write: " + e);
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private String ownFolder() {
    return quick ? "java/target/results-quick" : "java/target/results";
  }

  /**
   * Each suite measures one round of its cases, and further ones within its part of the time that
   * all first rounds leave. What a suite does not use is there for those after it.
   */
  private void measure(Path root, Path kept) throws IOException, InterruptedException {
    String launcher =
        System.getProperty("offcut.launcher", root.resolve("offcut").toAbsolutePath().toString());
    long first = System.nanoTime();
    List<Jdk> jdks = jdks();
    SuiteProcess process =
        new SuiteProcess(launcher, kept, stderr, () -> quick ? "" : elapsed(first));
    List<String> toCome = new ArrayList<>(Suites.all());
    while (!toCome.isEmpty()) {
      double left = (1 - FOR_BUILDS) * MINUTE * minutes() - seconds(first);
      double share = share(left, toCome, jdks);
      long began = System.nanoTime();
      String suite = toCome.removeFirst();
      boolean complete = process.run(suite, options(suite, share, jdks));
      stdout.printf(
          "%-14s %-6s %5d s%n", suite, complete ? "ok" : "FAILED", Math.round(seconds(began)));
    }
  }

  /** The quick form has no time for other runtimes. */
  private List<String> options(String suite, double seconds, List<Jdk> jdks) {
    if (quick) {
      return List.of("--quick");
    }
    List<String> options =
        new ArrayList<>(List.of("--minutes", String.format(Locale.ROOT, "%.2f", limit(seconds))));
    List<String> others =
        suite.equals(Suites.GO)
            ? toolchains
            : jdks.stream().map(jdk -> jdk.home().toString()).toList();
    if (!others.isEmpty()) {
      options.add(suite.equals(Suites.GO) ? "--toolchains" : "--jdks");
      options.add(String.join(",", others));
    }
    return options;
  }

  /** In minutes; never 0, which the suite of Go takes for no limit. */
  static double limit(double seconds) {
    return Math.max(0.01, seconds / MINUTE);
  }

  /** As given; else one of each version that the page shows, if it is not our own. */
  private List<Jdk> jdks() {
    List<Jdk> found = new ArrayList<>();
    for (Path home : homes) {
      try {
        found.add(Jdk.at(home));
      } catch (IOException e) {
        throw misuse("--jdks: " + home + " is no JDK: it has no file `release` with a version");
      }
    }
    if (!found.isEmpty()) {
      return found;
    }
    List<Integer> missing = new ArrayList<>(RuntimesTable.FEATURES);
    missing.remove((Integer) Runtime.version().feature());
    for (String home : System.getProperty("offcut.jdks", "").split(File.pathSeparator, -1)) {
      try {
        Jdk jdk = home.isEmpty() ? Jdk.OWN : Jdk.at(Path.of(home));
        if (missing.remove((Integer) Jdk.feature(jdk.version()))) {
          found.add(jdk);
        }
      } catch (IOException e) {
        stderr.println("bench all: " + home + " is no JDK: " + e.getMessage());
      }
    }
    return found;
  }

  /**
   * Returns seconds for the first suite: its first round, and a part of the time that the first
   * rounds of all suites leave on a slow machine. The part is in proportion to the further rounds
   * that the bars need. If time is short, the result is less than the first round takes.
   */
  static double share(double left, List<String> toCome, List<Jdk> jdks) {
    String first = toCome.getFirst();
    double round = SLOW * Suites.roundSeconds(first, jdks);
    double rounds =
        SLOW * toCome.stream().mapToDouble(suite -> Suites.roundSeconds(suite, jdks)).sum();
    double further = toCome.stream().mapToDouble(suite -> Suites.furtherSeconds(suite, jdks)).sum();
    double spare = left - rounds;
    if (spare < 0) {
      return Math.max(0, left) * round / rounds;
    }
    double part = further == 0 ? 1 : Suites.furtherSeconds(first, jdks) / further;
    return round + spare * part;
  }

  private double minutes() {
    return minutes == null ? MINUTES : minutes;
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  /** What stands before a line of progress. */
  private String elapsed(long since) {
    long passed = (long) seconds(since);
    return String.format(
        Locale.ROOT, "[%d:%02d of %.0f min] ", passed / 60, passed % 60, minutes());
  }

  private int write(Path root, Path kept) throws IOException {
    List<Section> sections = new ArrayList<>();
    for (String suite : Suites.all()) {
      sections.add(Section.of(Outcome.of(kept, suite)));
    }
    Path docs = pages != null ? pages : isQuick(sections) ? kept : root.resolve("docs/results");
    new Pages(sections).writeTo(docs);
    Path own = root.resolve("docs/results");
    if (Files.isDirectory(own) && Files.isSameFile(own, docs)) {
      Readme.renew(root.resolve("README.md"), sections, "docs/results/");
    }
    stdout.println("pages: " + docs.resolve("index.html"));
    int status = 0;
    for (Section section : sections) {
      String failure = section.outcome().failure();
      if (failure != null) {
        stderr.println("bench all: " + section.outcome().suite() + ": " + failure);
        status = 1;
      }
    }
    return status;
  }

  /** A single suite in the quick form makes all of it a first look. */
  private boolean isQuick(List<Section> sections) {
    return quick
        || sections.stream()
            .map(section -> section.outcome().run())
            .anyMatch(run -> run != null && run.isQuick());
  }

  private ParameterException misuse(String what) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), what);
  }
}
