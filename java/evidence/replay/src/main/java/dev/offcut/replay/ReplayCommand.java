package dev.offcut.replay;

import dev.offcut.replay.report.TextReport;
import dev.offcut.replay.space.Policy;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options, and what they ask for. */
@Command(
    name = "offcut replay",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Simulates the memory of class loaders under several allocators. It replays the program of"
            + " JDK-8198423 until a class does not fit.",
    customSynopsis = "offcut replay [--policy POLICY,…] [--space SIZE] [--survivors K] [--map]",
    footer = {"", "The results go to stdout. Exit codes: 0 success, 1 failure, 2 wrong usage."})
final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "POLICY",
      description = "Which allocators: ${COMPLETION-CANDIDATES} (default: all).",
      completionCandidates = PolicyNames.class)
  private List<String> policyNames = List.of(ALL);

  @Option(
      names = "--space",
      paramLabel = "SIZE",
      converter = SpaceSize.class,
      description = "The size of class space, such as 20M (default: 10M).")
  private @Nullable Long space;

  @Option(
      names = "--survivors",
      paramLabel = "K",
      description =
          "Keep every K-th of the small class loaders, as if it survived (default: none).")
  private @Nullable Integer survivors;

  @Option(
      names = "--map",
      description = "Print all maps: of both spaces, also before and after unloading.")
  private boolean map;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;

  ReplayCommand(PrintStream out) {
    this.out = out;
  }

  /** What {@code --policy} may be. */
  static final class PolicyNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    PolicyNames() {
      addAll(Policy.names());
      add(ALL);
    }
  }

  @Override
  public Integer call() {
    require(survivors == null || survivors > 0, "--survivors must be at least 1");
    out.print(report(policies()));
    return ExitCode.OK;
  }

  private String report(List<Policy> policies) {
    long bytes = space == null ? Replay.CLASS_SPACE_BYTES : space;
    int every = survivors == null ? 0 : survivors;
    List<Result> results = new ArrayList<>();
    for (Policy policy : policies) {
      try (Replay replay = new Replay(policy, bytes, every)) {
        results.add(replay.run());
      }
    }
    return TextReport.of(bytes, every, results, map);
  }

  private List<Policy> policies() {
    if (policyNames.contains(ALL)) {
      return Policy.known();
    }
    return policyNames.stream().distinct().map(this::policy).toList();
  }

  private Policy policy(String name) {
    Policy policy = Policy.named(name);
    require(policy != null, "unknown policy " + name + " (known: " + known() + ")");
    return Objects.requireNonNull(policy);
  }

  private static String known() {
    return String.join(", ", new PolicyNames());
  }

  private void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), otherwise);
    }
  }

  /** The size of a class space as it is given: {@code 10M}, {@code 65536K}, {@code 1G}, bytes. */
  static final class SpaceSize implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})([KMGkmg]?)");

    /** The bounds of -XX:CompressedClassSpaceSize. */
    private static final long LEAST_BYTES = 1L << 20;

    private static final long MOST_BYTES = 3L << 30;

    /** A medium chunk of the other space. */
    private static final long UNIT_BYTES = 64L << 10;

    private static final String EXAMPLES = "; give a size such as 10M, 65536K or 1G";

    @Override
    public Long convert(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new TypeConversionException(text + " is not a size" + EXAMPLES);
      }
      long bytes = Long.parseLong(form.group(1)) << shift(form.group(2));
      if (bytes < LEAST_BYTES) {
        throw new TypeConversionException(text + " is too small: a class space has at least 1M");
      }
      if (bytes > MOST_BYTES) {
        throw new TypeConversionException(text + " is too large: a class space has at most 3G");
      }
      if (bytes % UNIT_BYTES != 0) {
        long next = bytes / UNIT_BYTES + 1;
        String good = next * (UNIT_BYTES >> 10) + "K";
        throw new TypeConversionException(text + " is not a multiple of 64K; " + good + " is");
      }
      return bytes;
    }

    private static int shift(String unit) {
      return switch (unit) {
        case "K", "k" -> 10;
        case "M", "m" -> 20;
        case "G", "g" -> 30;
        default -> 0;
      };
    }
  }
}
