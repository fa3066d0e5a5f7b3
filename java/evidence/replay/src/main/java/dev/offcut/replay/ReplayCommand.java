package dev.offcut.replay;

import dev.offcut.replay.report.Report;
import dev.offcut.replay.report.TextReport;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Trace;
import dev.offcut.replay.trace.Trace.BadTraceException;
import dev.offcut.replay.trace.Trace.ClassSpace;
import dev.offcut.replay.trace.TraceReader;
import java.io.PrintStream;
import java.nio.file.Path;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options, and what they ask for. */
@Command(
    name = "offcut replay",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Simulates the memory of class loaders under several allocators. It replays a trace to"
            + " its end, or until a class does not fit.",
    customSynopsis = {
      "offcut replay [TRACE] [--policy POLICY,…] [--space SIZE] [--survivors K]",
      "                     [--map]",
    },
    footer = {"", "The results go to stdout. Exit codes: 0 success, 1 failure, 2 wrong usage."})
final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Parameters(
      arity = "0..*",
      paramLabel = "TRACE",
      description =
          "A trace: a file such as spec/replay-*.jsonl (default: Example2 of JDK-8198423).")
  private List<String> words = List.of();

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
      description = "The size of class space, such as 10M (default: the size in the trace).")
  private @Nullable Long space;

  @Option(
      names = "--survivors",
      paramLabel = "K",
      description =
          "Keep every K-th arena that the trace closes, as if its class loader survived"
              + " (default: none).")
  private @Nullable Integer survivors;

  @Option(
      names = "--map",
      description = "Print all maps: of both spaces, at every mark in the trace.")
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
  public Integer call() throws BadTraceException {
    require(survivors == null || survivors > 0, "--survivors must be at least 1");
    require(words.size() <= 1, "one trace at a time");
    List<Policy> policies = policies();
    Trace trace = words.isEmpty() ? Example2.trace() : TraceReader.read(Path.of(words.getFirst()));
    out.print(TextReport.of(report(trace, policies), map));
    return ExitCode.OK;
  }

  private Report report(Trace trace, List<Policy> policies) {
    long bytes = space == null ? trace.classSpaceBytes() : space;
    int every = survivors == null ? 0 : survivors;
    List<Result> results = new ArrayList<>();
    for (Policy policy : policies) {
      try (Replay replay = new Replay(policy, trace, bytes, every)) {
        results.add(replay.run());
      }
    }
    return new Report(trace, bytes, every, results);
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
    private static final String EXAMPLES = "; give a size such as 10M, 65536K or 1G";

    @Override
    public Long convert(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new TypeConversionException(text + " is not a size" + EXAMPLES);
      }
      long bytes = Long.parseLong(form.group(1)) << shift(form.group(2));
      if (bytes < ClassSpace.LEAST_BYTES) {
        throw new TypeConversionException(text + " is too small: a class space has at least 1M");
      }
      if (bytes > ClassSpace.MOST_BYTES) {
        throw new TypeConversionException(text + " is too large: a class space has at most 3G");
      }
      if (bytes % ClassSpace.UNIT_BYTES != 0) {
        long next = bytes / ClassSpace.UNIT_BYTES + 1;
        String good = next * (ClassSpace.UNIT_BYTES >> 10) + "K";
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
