package dev.offcut.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
 * {@code bench all}: measures every suite in its own process. For each suite it writes the rows,
 * {@code SUITE.json}, and a page with what the suite printed, {@code SUITE.md}.
 *
 * <p>Exit status 0: everything was measured and written; 1: something was not, which the pages say;
 * 2: misused.
 */
@Command(
    name = "all",
    description =
        "Measures every suite, one after the other, and writes the rows and a page of each.",
    sortOptions = false)
final class AllCommand implements Callable<Integer> {
  private static final double MINUTES = 75;
  private static final int LAST_LINES = 6;

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
      paramLabel = "HOME,HOME",
      description = "Measure the headline of the cases on these JDKs, too.")
  private @Nullable String homes;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where the files are written (default: docs/results; with --quick:"
              + " java/target/results-quick, because a first look is no result).")
  private @Nullable Path out;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream stdout;
  private final PrintStream stderr;

  AllCommand(PrintStream stdout, PrintStream stderr) {
    this.stdout = stdout;
    this.stderr = stderr;
  }

  @Override
  public Integer call() {
    if (quick && minutes != null) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "--quick takes a minute for each suite; leave out --minutes");
    }
    Path root = Path.of(System.getProperty("offcut.root", ".")).toAbsolutePath();
    Path folder =
        out != null ? out : root.resolve(quick ? "java/target/results-quick" : "docs/results");
    try {
      Files.createDirectories(folder);
      return measure(System.getProperty("offcut.launcher", root + "/offcut"), folder);
    } catch (IOException e) {
      stderr.println("bench all: cannot write: " + e);
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  /** What a suite does not use of its share is there for those after it. */
  private int measure(String launcher, Path folder) throws IOException, InterruptedException {
    double end = System.nanoTime() / 1e9 + 60 * (minutes == null ? MINUTES : minutes);
    int failed = 0;
    List<String> toCome = new ArrayList<>(Suites.all());
    while (!toCome.isEmpty()) {
      double began = System.nanoTime() / 1e9;
      double share = share(end - began, toCome);
      String suite = toCome.removeFirst();
      List<String> words = new ArrayList<>(List.of("bench", suite));
      words.addAll(
          quick
              ? List.of("--quick")
              : List.of("--minutes", String.format(Locale.ROOT, "%.2f", share / 60)));
      if (homes != null && !suite.equals(Suites.GO)) {
        words.addAll(List.of("--jdks", homes));
      }
      boolean complete = run(launcher, words, folder.resolve(suite + ".json"));
      failed += complete ? 0 : 1;
      stdout.printf(
          "%-14s %-6s %5d s%n",
          suite, complete ? "ok" : "FAILED", Math.round(System.nanoTime() / 1e9 - began));
    }
    stdout.println("results: " + folder);
    return failed == 0 ? 0 : 1;
  }

  /**
   * Returns the seconds for the first suite: a part of what is left, in proportion to its rounds.
   * Never 0, which the suite of Go takes for no limit.
   */
  static double share(double left, List<String> toCome) {
    double all = toCome.stream().mapToDouble(Suites::seconds).sum();
    return Math.max(1, left * Suites.seconds(toCome.getFirst()) / all);
  }

  /** Returns whether the suite measured everything. */
  private boolean run(String launcher, List<String> words, Path json)
      throws IOException, InterruptedException {
    String suite = words.get(1);
    Files.deleteIfExists(json); // not to be taken for this run's
    List<String> command = new ArrayList<>(List.of(launcher));
    command.addAll(words);
    command.addAll(List.of("--json", json.toString()));
    Path printed = Files.createTempFile("offcut-bench-", ".txt");
    Process process = new ProcessBuilder(command).redirectOutput(printed.toFile()).start();
    Thread hook = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(hook); // what stops this stops the suite, too
    Deque<String> last = new ArrayDeque<>();
    try (BufferedReader said = process.errorReader(StandardCharsets.UTF_8)) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        stderr.println(suite + ": " + line);
        last.add(line);
        if (last.size() > LAST_LINES) {
          last.remove();
        }
      }
      int status = process.waitFor();
      String ended =
          status == 0
              ? ""
              : "It ended with status %d. Its last lines:%n%n```text%n%s%n```%n%n"
                  .formatted(status, String.join("\n", last));
      String page =
          "# Results: %s%n%n`./offcut %s` printed this on %s.%n%n%s```text%n%s```%n"
              .formatted(
                  suite,
                  String.join(" ", words),
                  LocalDate.now(ZoneOffset.UTC),
                  ended,
                  Files.readString(printed));
      Files.writeString(json.resolveSibling(suite + ".md"), page);
      return status == 0;
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(hook);
      Files.deleteIfExists(printed);
    }
  }
}
