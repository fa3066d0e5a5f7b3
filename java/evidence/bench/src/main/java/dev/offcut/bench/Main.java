package dev.offcut.bench;

import dev.offcut.bench.Bar.Verdict;
import dev.offcut.bench.Samples.Row;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
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
  @Parameters(index = "0", arity = "0..1", paramLabel = "SUITE", description = "What to measure.")
  private @Nullable String suiteName;

  @Option(names = "--quick", description = "One short round, for a first look.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the rows to a file.")
  private @Nullable Path json;

  @Option(
      names = "--case",
      split = ",",
      paramLabel = "NAME",
      description = "Measure only these" + " cases.")
  private List<String> caseNames = List.of();

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
    line.setOut(new java.io.PrintWriter(out, true, StandardCharsets.UTF_8));
    line.setErr(new java.io.PrintWriter(err, true, StandardCharsets.UTF_8));
    return line.execute(args);
  }

  @Override
  public Integer call() {
    if (list) {
      (suiteName == null ? Suites.KNOWN : List.of(suite())).forEach(this::print);
      if (suiteName == null) {
        out.println(Suites.GO);
        out.println("  the Go libraries: `offcut bench go --list`");
      }
      return 0;
    }
    Suite suite = suite();
    List<Case> cases = chosen(suite);
    Path folder = json == null ? null : json.toAbsolutePath().getParent();
    if (folder != null && !Files.isWritable(folder)) {
      err.println("bench: cannot write " + json + ": " + folder + " is no folder to write in");
      return 1;
    }
    try {
      return measure(suite, cases);
    } catch (IOException e) {
      err.println("bench: " + suite.name() + ": " + e.getMessage());
      return 1;
    }
  }

  private int measure(Suite suite, List<Case> cases) throws IOException {
    long begun = System.nanoTime();
    Environment environment = new Environment(quick);
    List<String> leftOut = suite.leftOut();
    leftOut.forEach(sentence -> err.println("bench: " + sentence));
    suite.prepare(cases);
    System.setProperty(Loop.QUICK, Boolean.toString(quick));
    ChildJvm jvm = new ChildJvm();
    Rounds rounds = new Rounds(jvm, environment::sampleOthers, err);
    Samples samples = rounds.run(cases);
    suite.total(samples);
    List<Row> rows = samples.rows(cases, suite);
    List<Verdict> bars =
        suite.bars().stream()
            .filter(bar -> caseNames.isEmpty() || caseNames.contains(bar.ours().caseName()))
            .map(bar -> bar.judge(samples))
            .toList();
    new TableReport(out, rows).print(suite, cases, samples, bars);
    if (quick) {
      out.println("The quick form is a first look, in one short round. Judge by the full form.");
    }
    if (json != null) {
      var entries = environment.after((System.nanoTime() - begun) / 1e9);
      JsonReport.write(json, suite.name(), entries, rows, bars, leftOut);
    }
    return rounds.isIncomplete() ? 1 : 0;
  }

  private Suite suite() {
    Suite suite = suiteName == null ? null : Suites.named(suiteName);
    if (suite == null) {
      throw misuse(
          suiteName == null ? "which suite?" : "unknown suite " + suiteName, Suites.names());
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
    return all.stream().filter(c -> caseNames.isEmpty() || caseNames.contains(c.name())).toList();
  }

  private ParameterException misuse(String what, List<String> known) {
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    return new ParameterException(line, what + " (known: " + String.join(", ", known) + ")");
  }

  private void print(Suite suite) {
    out.println(suite.name());
    for (Case of : suite.cases(quick)) {
      out.printf("  %-20s %s%n", of.name(), of.summary());
    }
  }
}
