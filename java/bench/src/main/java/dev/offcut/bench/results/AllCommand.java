package dev.offcut.bench.results;

import dev.offcut.bench.Suites;
import dev.offcut.bench.results.Pages.Readme;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
  @Option(names = "--quick", description = "Take at most a minute for each suite: a first look.")
  private boolean quick;

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
    if (from != null && (quick || out != null)) {
      throw misuse("--from measures nothing; leave out --quick and --out");
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

  private int write(Path root, Path kept) throws IOException {
    List<Section> sections = new ArrayList<>();
    for (String suite : Suites.all()) {
      Outcome.parts(kept, suite).forEach(part -> sections.add(Section.of(part)));
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
        stderr.println("bench all: " + section.outcome().name() + ": " + failure);
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
