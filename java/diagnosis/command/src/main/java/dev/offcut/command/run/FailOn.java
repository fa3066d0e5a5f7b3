package dev.offcut.command.run;

import dev.offcut.command.judge.Finding;
import dev.offcut.command.read.Digest;
import dev.offcut.command.read.Failure;
import dev.offcut.command.read.Figures;
import dev.offcut.command.read.Series;
import dev.offcut.command.read.Sources.Reading;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which findings make the command end with 3, for scripts and tests. */
public final class FailOn {
  /** Findings of a check that are printed; the report has all. */
  private static final int MOST_NAMED = 5;

  @Option(names = "--fail-on-leak", description = "Exit code 3 if something was lost or forgotten.")
  private boolean leak;

  @Option(
      names = "--fail-on-open",
      description =
          "Exit code 3 if the report has an OPEN finding, or a GROWING finding about a kind of"
              + " resource.")
  private boolean open;

  @Option(
      names = "--fail-on-growth",
      paramLabel = "RATE",
      converter = Rate.class,
      description =
          "Exit code 3 if the bytes of a part of resident memory or of a kind of resource rise at"
              + " RATE or faster. RATE is bytes per time, such as 10m/min (10 MiB a minute) or 2g/h;"
              + " without a time, it is per minute. The first third of the run, or its first minute,"
              + " does not count. Neither does a rise of less than 16 MiB, or of less than 5 %% of"
              + " resident memory, or one that ends.")
  private @Nullable Long growth;

  boolean isAsked() {
    return leak || open || growth != null;
  }

  /**
   * What the checks say of one program.
   *
   * @param lines for people, a line each
   * @param exitCode 0, {@link Failure#FINDINGS} or {@link Failure#UNREADABLE}
   */
  record Verdict(List<String> lines, int exitCode) {}

  /**
   * Checks a program. {@code whose}: of several programs which one, with a space before it; empty
   * for the only one.
   */
  Verdict check(Reading reading, String whose) {
    if (!isAsked()) {
      return new Verdict(List.of(), ExitCode.OK);
    }
    Digest digest = reading.digest();
    List<String> failures = failures(digest, whose);
    if (!failures.isEmpty()) {
      return new Verdict(failures, Failure.FINDINGS);
    }
    String why = unanswered(reading);
    return why == null
        ? new Verdict(List.of(passed(digest, whose)), ExitCode.OK)
        : unanswered(whose, why);
  }

  /** The verdict on a program of which nobody knows it. */
  static Verdict unanswered(String whose, String why) {
    return new Verdict(
        List.of("the check of --fail-on cannot be answered" + whose + ": " + why),
        Failure.UNREADABLE);
  }

  /**
   * Returns why the program may have what is to fail the command although it is not met: a check
   * that looked at nothing must not pass. Null if all that was asked was looked at.
   */
  private @Nullable String unanswered(Reading reading) {
    Digest digest = reading.digest();
    if (!digest.hasStarted()) {
      return "the program did not start";
    }
    if (reading.cutOff()) {
      return "the end of its counts is missing";
    }
    Digest.Gaps gaps = digest.gaps();
    if (!gaps.unpublished().isEmpty()) {
      return gaps.unpublished().getFirst();
    }
    if ((leak || open) && !digest.isCounted()) {
      return "nothing was counted";
    }
    if ((leak || open) && !gaps.untracked().isEmpty()) {
      return String.join("; ", gaps.untracked());
    }
    if (leak && !gaps.unproven().isEmpty()) {
      return gaps.unproven().getFirst();
    }
    Series.Account account = digest.series().account();
    return growth != null && (account == null || !account.isLongEnough())
        ? "parts of resident memory were not checked for growth: the program ran too shortly"
        : null;
  }

  /** What was not tracked may have what is to fail the command, so a passed check names it. */
  private static String passed(Digest digest, String whose) {
    String line = "the check of --fail-on" + whose + " passes for what was tracked";
    if (!digest.coverage().unwatched().isEmpty()) {
      line += "; not tracked: " + digest.coverage().allUnwatched();
    }
    return digest.limits().isEmpty()
        ? line
        : line + "; limits: " + String.join(" ", digest.limits());
  }

  /** What fails the command: a line for each check that fails, and for each finding. */
  private List<String> failures(Digest digest, String whose) {
    List<String> lines = new ArrayList<>();
    if (leak) {
      fail("--fail-on-leak" + whose, digest.leaks().stream().map(FailOn::line).toList(), lines);
    }
    if (open) {
      fail("--fail-on-open" + whose, digest.open().stream().map(FailOn::line).toList(), lines);
    }
    long least = growth == null ? Long.MAX_VALUE : growth;
    fail(
        "--fail-on-growth" + whose,
        digest.memory().growing().stream()
            .filter(part -> growth != null && part.rate() > 0 && part.rate() >= least)
            .filter(part -> !isKnown(part.part(), digest))
            .map(part -> part.part() + " rises by " + Figures.bytes(part.rate()) + "/min")
            .toList(),
        lines);
    return lines;
  }

  /** Whether known findings tell of a rise, and no other does. */
  private static boolean isKnown(String part, Digest digest) {
    List<Finding> shown = digest.findings();
    return shown.stream().noneMatch(one -> one.isRiseOf(part))
        && shown.stream()
            .flatMap(one -> one.leftOut().stream())
            .anyMatch(one -> one.isRiseOf(part));
  }

  private static String line(Finding finding) {
    return finding.severity() + " " + finding.title();
  }

  private static void fail(String check, List<String> findings, List<String> lines) {
    if (findings.isEmpty()) {
      return;
    }
    lines.add(check + " fails (exit code " + Failure.FINDINGS + "):");
    findings.stream().limit(MOST_NAMED).forEach(finding -> lines.add("  " + finding));
    if (findings.size() > MOST_NAMED) {
      lines.add("  and " + (findings.size() - MOST_NAMED) + " more");
    }
  }

  /** Bytes a minute. */
  public static final class Rate implements ITypeConverter<Long> {
    private static final Pattern FORM =
        Pattern.compile("(\\d+(?:\\.\\d+)?)([kmg]?)(?:i?b)?(?:/(s|min|h))?");

    @Override
    public Long convert(String text) {
      Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
      if (!form.matches()) {
        throw new TypeConversionException(
            "'" + text + "' is not a rate; examples are 10m/min and 2g/h");
      }
      double bytes =
          switch (String.valueOf(form.group(2))) {
            case "k" -> 0x1p10;
            case "m" -> 0x1p20;
            case "g" -> 0x1p30;
            default -> 1;
          };
      double aMinute =
          switch (String.valueOf(form.group(3))) {
            case "s" -> 60;
            case "h" -> 1 / 60.0;
            default -> 1;
          };
      return Math.round(Double.parseDouble(form.group(1)) * bytes * aMinute);
    }
  }
}
