package dev.offcut.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench all}: measures every suite but the leaks in its own process. For each suite it
 * writes the rows, {@code SUITE.json}, and a page with what the suite printed, {@code SUITE.md}.
 *
 * <p>Exit status 0: everything was measured and written; 1: something was not, which the pages say;
 * 2: misused.
 */
@Command(
    name = "all",
    description =
        "Measures every suite but leaks, one after the other, and writes the rows and a page of"
            + " each.",
    sortOptions = false)
final class AllCommand implements Callable<Integer> {
  @Option(names = "--quick", description = "One short round of each: a first look.")
  private boolean quick;

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

  private final PrintStream stdout;
  private final PrintStream stderr;

  AllCommand(PrintStream stdout, PrintStream stderr) {
    this.stdout = stdout;
    this.stderr = stderr;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path root = Path.of(System.getProperty("offcut.root", ".")).toAbsolutePath();
    Path folder =
        out != null ? out : root.resolve(quick ? "java/target/results-quick" : "docs/results");
    Files.createDirectories(folder);
    int failed = 0;
    for (String suite : Suites.together()) {
      stderr.println(suite);
      boolean complete = run(suite, folder);
      failed += complete ? 0 : 1;
      stdout.printf("%-14s %s%n", suite, complete ? "ok" : "FAILED");
    }
    stdout.println("results: " + folder);
    return failed == 0 ? 0 : 1;
  }

  /** Returns whether the suite measured everything. */
  private boolean run(String suite, Path folder) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("bench", suite));
    words.addAll(quick ? List.of("--quick") : List.of());
    Path json = folder.resolve(suite + ".json");
    Files.deleteIfExists(json); // not to be taken for this run's
    List<String> command = new ArrayList<>(List.of(System.getProperty("offcut.launcher")));
    command.addAll(words);
    command.addAll(List.of("--json", json.toString()));
    Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    Thread hook = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(hook); // what stops this stops the suite, too
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(hook);
    String page =
        "# Results: %s%n%n`./offcut %s` printed this on %s%s.%n%n```text%n%s```%n"
            .formatted(
                suite,
                String.join(" ", words),
                LocalDate.now(ZoneOffset.UTC),
                status == 0 ? "" : " and ended with status " + status,
                printed);
    Files.writeString(folder.resolve(suite + ".md"), page);
    return status == 0;
  }
}
