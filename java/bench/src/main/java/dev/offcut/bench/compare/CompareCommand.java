package dev.offcut.bench.compare;

import dev.offcut.bench.JsonFile;
import dev.offcut.bench.Sides;
import dev.offcut.bench.Suites;
import dev.offcut.bench.compare.Comparison.Change.Verdict;
import dev.offcut.bench.read.RunFile;
import dev.offcut.bench.read.UnreadableFileException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bench compare A.json B.json}.
 *
 * <p>Exit status 0: nothing of ours became worse by more than 10 % beyond the noise and beyond what
 * the machine explains; 3: something did; 1: a file is no result, or they are of two suites; 2:
 * misused.
 */
@Command(
    name = "compare",
    description = "Shows which rows of a suite changed between two runs by more than the noise.",
    footer =
        "The noise is the spread of both runs together. The metric of a row decides whether more"
            + " is better or worse. `others` is the median change of the other implementations in"
            + " the same case, if there are at least two. It shows how much slower the machine"
            + " was. Exit code 3: a row of Offcut got worse by more than 10 %%, and is still"
            + " worse by more than 10 %% after division by `others`.",
    sortOptions = false)
public final class CompareCommand implements Callable<Integer> {
  private static final int REGRESSED = 3;

  @Parameters(index = "0", paramLabel = "A.json", description = "The earlier run.")
  private @Nullable Path base;

  @Parameters(index = "1", paramLabel = "B.json", description = "The later run.")
  private @Nullable Path now;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all rows to a file.")
  private @Nullable Path json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  private final PrintStream out;
  private final PrintStream err;

  public CompareCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() {
    Comparison comparison;
    try {
      comparison = comparison(Objects.requireNonNull(base), Objects.requireNonNull(now));
      if (json != null) {
        JsonFile.at(json).write(writer -> ComparisonJson.write(writer, comparison));
      }
    } catch (UnreadableFileException | NotComparable e) {
      err.println("bench compare: " + e.getMessage());
      return 1;
    } catch (IOException e) {
      err.println("bench compare: cannot write " + json + ": " + e.getMessage());
      return 1;
    }
    new ComparisonText(out).print(comparison);
    return comparison.count(Verdict.REGRESSION) > 0 ? REGRESSED : 0;
  }

  private static Comparison comparison(Path base, Path now)
      throws UnreadableFileException, NotComparable {
    RunFile before = RunFile.read(base);
    RunFile after = RunFile.read(now);
    if (!before.suite().equals(after.suite())) {
      throw new NotComparable(
          "%s is of suite %s and %s of %s; give two runs of one suite"
              .formatted(base, before.suite(), now, after.suite()));
    }
    Sides sides = Suites.sides(before.suite());
    if (sides == null) {
      throw new NotComparable(
          "%s is of suite %s, which is none of %s"
              .formatted(base, before.suite(), String.join(", ", Suites.all())));
    }
    Comparison comparison = Comparison.of(before, after, sides);
    if (comparison.changes().isEmpty()) {
      throw new NotComparable(
          "no row of %s is in %s: compare runs of the same cases on the same runtime"
              .formatted(base, now));
    }
    return comparison;
  }

  /** Two files that have nothing to be compared. */
  private static final class NotComparable extends Exception {
    private static final long serialVersionUID = 1;

    NotComparable(String message) {
      super(message);
    }
  }
}
