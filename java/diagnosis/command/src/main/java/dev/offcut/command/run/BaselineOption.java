package dev.offcut.command.run;

import dev.offcut.command.judge.Baseline;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Sources.Reading;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which findings are known, and the file that makes this report's known. */
public final class BaselineOption {
  @Option(
      names = "--baseline",
      paramLabel = "FILE",
      description =
          "Leave out the findings that FILE has: one line of the report counts them, and no check"
              + " --fail-on fails for them. A finding is compared by its severity, kind of resource,"
              + " class, method and file, not by its line's number. One with more than twice the"
              + " count or the bytes is reported.")
  private @Nullable Path given;

  @Option(
      names = "--write-baseline",
      paramLabel = "FILE",
      description =
          "Write the findings of this report to FILE, one a line, without COST and NOTE; with"
              + " --baseline, also those that are left out, with their reasons.")
  private @Nullable Path written;

  private Baseline known = Baseline.NONE;
  private final List<Digest> reports = new ArrayList<>();

  /** Reads what is known, and refuses what cannot be read or written. */
  void check(boolean force) throws Failure {
    if (given != null) {
      try {
        known = Baseline.of(Files.readAllLines(given), given.toString());
      } catch (NoSuchFileException e) {
        throw Failure.unreadable("there is no baseline " + given);
      } catch (IOException e) {
        throw Failure.unreadable("cannot read the baseline " + given + ": " + e);
      }
    }
    if (written != null) {
      new OutputFile(written, force).check();
    }
  }

  /** The same without what is known. */
  Reading applied(Reading reading) {
    reports.add(reading.digest());
    return new Reading(known.applied(reading.digest()), reading.cutOff());
  }

  void write(boolean force, PrintStream err) throws Failure {
    if (written != null) {
      new OutputFile(written, force).write(known.text(reports));
      err.println("offcut: wrote " + written);
    }
  }
}
