package dev.offcut.bench;

import dev.offcut.bench.Bar.Judgement;
import dev.offcut.bench.ChildJvm.ChildFailure;
import dev.offcut.bench.JsonReport.Result;
import dev.offcut.bench.Rounds.Progress;
import dev.offcut.bench.child.Figure;
import dev.offcut.bench.memory.RecordCommand;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command: {@code bench SUITE [--quick] [--json FILE] [--case NAME,…] [--list]}, and the word
 * {@code all}.
 *
 * <p>Exit status 0: everything was measured, whether the bars are met or not; 1: something was not
 * measured, or could not be written; 2: misused.
 */
@Command(
    name = "offcut bench",
    description =
        "Measures Offcut and other implementations side by side. Compare only rows of"
            + " one run.",
    footer =
        "`offcut bench go` is the suite of the Go libraries; `offcut bench go --help` has its"
            + " options.",
    sortOptions = false)
public final class Main implements Callable<Integer> {
  /** Leaves time for the child that runs when time is up, within the 60 s that are promised. */
  private static final double QUICK_SECONDS = 54;

  @Parameters(index = "0", arity = "0..1", paramLabel = "SUITE", description = "What to measure.")
  private @Nullable String suiteName;

  @Option(
      names = "--quick",
      description = "Take at most a minute: few and short rounds, for a" + " first look.")
  private boolean quick;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "Take about N minutes: one round of all, however long, then rounds until the bars are"
              + " decided, or time is out.")
  private @Nullable Double minutes;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the rows to a file.")
  private @Nullable Path json;

  @Option(
      names = "--case",
      split = ",",
      paramLabel = "NAME",
      description = "Measure only these" + " cases.")
  private List<String> caseNames = List.of();

  @Option(
      names = "--jdks",
      split = ",",
      paramLabel = "HOME",
      description = "Measure the headline of the cases on these JDKs, too, in the same rounds.")
  private List<Path> homes = List.of();

  @Option(
      names = "--headline",
      description = "Measure nothing but the headline of each case that has one.")
  private boolean headline;

  @Option(names = "--list", description = "List suites and cases.")
  private boolean list;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;
  private final PrintStream err;

  Main(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  static int run(PrintStream out, PrintStream err, String... args) {
    CommandLine line = new CommandLine(new Main(out, err));
    line.addSubcommand(new AllCommand(out, err));
    line.addSubcommand(new RecordCommand(out, err));
    line.setOut(new java.io.PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new java.io.PrintWriter(err, true, StandardCharsets.UTF_8));
    return line.execute(args);
  }

  @Override
  public Integer call() {
    if (list) {
      listed().forEach(this::print);
      if (suiteName == null) {
        out.println(Suites.GO);
        out.println("  the Go libraries: `offcut bench go --list`");
      }
      return 0;
    }
    Suite suite = suite();
    List<Case> cases = chosen(suite);
    JsonFile file;
    try {
      file = json == null ? null : JsonFile.at(json);
    } catch (IOException e) {
      err.println("bench: cannot write " + json + ": " + e.getMessage());
      return 1;
    }
    return measure(suite, cases, file);
  }

  private int measure(Suite suite, List<Case> cases, @Nullable JsonFile file) {
    OthersLoad others = new OthersLoad();
    Environment environment = new Environment(quick, others);
    Budget budget = new Budget(seconds(), System::nanoTime);
    Progress progress = new Progress(err, isTerminal());
    List<String> leftOut = new ArrayList<>();
    leftOut(suite, cases).forEach((what, of) -> leftOut.add(of + " without " + what));
    leftOut.addAll(notJudged(suite, cases));
    leftOut.forEach(sentence -> progress.say("bench: " + sentence));
    ChildJvm jvm = new ChildJvm();
    if (!prepare(suite, cases, jvm, budget)) {
      return 1;
    }
    Rounds.Runner runner =
        new Rounds.Runner() {
          @Override
          public List<Figure> run(ChildRun run, long limitSeconds) throws ChildFailure {
            return jvm.run(run, limitSeconds);
          }

          @Override
          public void atRest() {
            others.sample();
          }
        };
    Rounds rounds = new Rounds(runner, budget, progress, s -> progress.say("bench: " + s));
    List<Bar> bars = suite.bars(jdks()).stream().filter(bar -> isJudged(bar, cases)).toList();
    Samples samples = quick ? rounds.run(cases) : rounds.run(cases, bars);
    Rows rows = new Rows(cases.stream().flatMap(c -> samples.rows(c, suite).stream()).toList());
    List<Judgement> judged = bars.stream().map(bar -> bar.judge(rows, samples)).toList();
    new TableReport(out, rows).print(suite, cases, judged);
    if (quick) {
      out.println("The quick form is a first look, in short rounds. Judge by the full form.");
    }
    if (file != null) {
      var entries = environment.after(budget.elapsedSeconds());
      leftOut.addAll(rounds.leftOut());
      Result result = new Result(rows, judged, leftOut);
      try {
        file.write(writer -> JsonReport.write(writer, suite.name(), entries, result));
      } catch (IOException e) {
        err.println("bench: cannot write " + json + ": " + e.getMessage());
        return 1;
      }
    }
    return rounds.isIncomplete() ? 1 : 0;
  }

  private double seconds() {
    if (minutes != null) {
      return 60 * minutes;
    }
    return quick ? QUICK_SECONDS : Double.POSITIVE_INFINITY;
  }

  private boolean isJudged(Bar bar, List<Case> cases) {
    return !headline && cases.stream().anyMatch(of -> of.name().equals(bar.caseName()));
  }

  /** The bars that no JDK of this run is meant by. */
  private List<String> notJudged(Suite suite, List<Case> cases) {
    return suite.bars().stream()
        .filter(bar -> isJudged(bar, cases) && bar.on(jdks()) == null)
        .collect(Collectors.groupingBy(Bar::jdks, LinkedHashMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(
            missing ->
                "bars about %s are not judged: %d; this run has no such JDK (`--jdks` names them)"
                    .formatted(missing.getKey(), missing.getValue()))
        .toList();
  }

  /** Whether all is there that the cases need; else it has said why. */
  private boolean prepare(Suite suite, List<Case> cases, ChildJvm jvm, Budget budget) {
    try {
      for (ChildRun first : suite.prepare(cases)) {
        jvm.run(first, quick ? budget.limitSeconds() : Budget.HUNG_SECONDS);
      }
      return true;
    } catch (IOException | ChildFailure e) {
      err.println("bench: cannot prepare " + suite.name() + ": " + e.getMessage());
      return false;
    }
  }

  /** What is left out, and of which of the cases. */
  private static Map<String, String> leftOut(Suite suite, List<Case> cases) {
    List<String> names = cases.stream().map(Case::name).toList();
    return suite.leftOut().stream()
        .filter(row -> names.contains(row.caseName()))
        .collect(
            Collectors.groupingBy(
                Suite.LeftOut::what,
                LinkedHashMap::new,
                Collectors.mapping(Suite.LeftOut::caseName, Collectors.joining(", "))));
  }

  private Suite suite() {
    Suite suite = suiteName == null ? null : Suites.named(suiteName);
    if (suite == null) {
      List<String> known = new ArrayList<>(Suites.names());
      known.add(Suites.GO);
      throw misuse(suiteName == null ? "which suite?" : "unknown suite " + suiteName, known);
    }
    return suite;
  }

  private List<Case> chosen(Suite suite) {
    List<Case> all = suite.cases(quick);
    List<String> names = all.stream().map(Case::name).toList();
    for (String name : caseNames) {
      if (!names.contains(name)) {
        throw misuse("unknown case " + name, names);
      }
    }
    List<Jdk> jdks = jdks();
    return all.stream()
        .filter(c -> caseNames.isEmpty() || caseNames.contains(c.name()))
        .filter(c -> !headline || c.headline() != null)
        .map(c -> headline ? c.headlineAlone() : c)
        .map(c -> c.on(jdks))
        .toList();
  }

  private List<Jdk> jdks() {
    List<Jdk> jdks = new ArrayList<>();
    for (Path home : homes) {
      try {
        jdks.add(Jdk.at(home));
      } catch (IOException e) {
        throw misuse(
            "--jdks: " + home + " is no JDK", List.of("directories with a file `release`"));
      }
    }
    return jdks;
  }

  private ParameterException misuse(String what, List<String> known) {
    CommandLine line = java.util.Objects.requireNonNull(spec).commandLine();
    return new ParameterException(line, what + " (known: " + String.join(", ", known) + ")");
  }

  private List<Suite> listed() {
    return suiteName == null ? Suites.known() : List.of(suite());
  }

  private void print(Suite suite) {
    out.println(suite.name());
    for (Case of : suite.cases(quick)) {
      out.printf("  %-20s %s%n", of.name(), of.summary());
    }
  }

  @SuppressWarnings(
      "SystemConsoleNull") // it is null in JDK 25 where input or output is no terminal
  private static boolean isTerminal() {
    var console = System.console();
    return console != null && console.isTerminal();
  }
}
