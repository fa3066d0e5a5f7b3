package dev.offcut.bench.results;

import dev.offcut.bench.Suites;
import dev.offcut.cli.page.Page;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
    description = "Measures every suite, one after the other, and writes pages of what came of it.",
    sortOptions = false)
public final class AllCommand implements Callable<Integer> {
  @Option(names = "--quick", description = "Each suite ends within a minute: a first look.")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the rows are kept. Without it: java/target/results.")
  private @Nullable Path out;

  @Option(
      names = "--pages",
      paramLabel = "DIR",
      description = "Where the pages are written. Without it: docs/results.")
  private @Nullable Path pages;

  @Option(
      names = "--from",
      paramLabel = "DIR",
      description = "Measure nothing: write the pages of the rows that are kept there.")
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
    if (from != null && (quick || out != null)) {
      throw misuse("--from measures nothing; leave out --quick and --out");
    }
    if (from != null && !Files.isDirectory(from)) {
      stderr.println("bench all: there is no directory " + from);
      return 1;
    }
    Path root = Path.of(System.getProperty("offcut.root", "."));
    Path kept = from != null ? from : out != null ? out : root.resolve("java/target/results");
    Path docs = pages != null ? pages : root.resolve("docs/results");
    try {
      Files.createDirectories(kept);
      Files.createDirectories(docs);
      if (from == null) {
        measure(root, kept.toAbsolutePath());
      }
      return write(kept, docs);
    } catch (IOException e) {
      stderr.println("bench all: cannot write: " + e);
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private void measure(Path root, Path kept) throws IOException, InterruptedException {
    String launcher =
        System.getProperty("offcut.launcher", root.resolve("offcut").toAbsolutePath().toString());
    SuiteProcess process = new SuiteProcess(launcher, kept, quick, stderr);
    for (String suite : Suites.all()) {
      long began = System.nanoTime();
      boolean complete = process.run(suite);
      long seconds = (System.nanoTime() - began) / 1_000_000_000;
      stdout.printf("%-14s %-6s %5d s%n", suite, complete ? "ok" : "FAILED", seconds);
    }
  }

  private int write(Path kept, Path docs) throws IOException {
    List<Section> sections = new ArrayList<>();
    for (String suite : Suites.all()) {
      sections.add(Section.of(Outcome.in(kept, suite)));
    }
    for (Section section : sections) {
      Path page = docs.resolve(section.outcome().suite() + ".md");
      Files.writeString(page, MarkdownPage.of(section));
    }
    String text = sections.stream().map(MarkdownPage::of).collect(Collectors.joining("\n"));
    String html = Page.of("results.html", "results · offcut", text, ResultsJson.of(sections));
    Files.writeString(docs.resolve("index.html"), html);
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

  private ParameterException misuse(String what) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), what);
  }
}
