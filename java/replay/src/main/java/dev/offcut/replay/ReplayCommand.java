package dev.offcut.replay;

import dev.offcut.replay.report.Report;
import dev.offcut.replay.report.TextReport;
import dev.offcut.replay.space.Policies;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.trace.BadTraceException;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Trace;
import dev.offcut.replay.trace.TraceReader;
import java.io.PrintStream;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options, and what they ask for. */
@Command(
    name = "offcut replay",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description =
        "Replays what class loaders did with their memory under several allocators, until it is"
            + " over or nothing fits.")
final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TRACE",
      description =
          "A trace, as of --record or spec/replay-*.jsonl (default: Example2 of JDK-8198423).")
  private @Nullable Path traceFile;

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
      description = "The size of the class space, such as 10M (default: what the trace says).")
  private @Nullable Long space;

  @Option(
      names = "--survivors",
      paramLabel = "K",
      description = "Every K-th arena that the trace closes stays open (default: none).")
  private @Nullable Integer survivors;

  @Option(names = "--map", description = "Draw all maps: at every mark, and of both spaces.")
  private boolean map;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "This text.")
  @SuppressWarnings("unused") // picocli's
  private boolean help;

  @Spec private @Nullable CommandSpec spec;

  private final PrintStream out;
  private final PrintStream err;

  ReplayCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** What {@code --policy} may be. */
  static final class PolicyNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    PolicyNames() {
      addAll(Policies.names());
      add(ALL);
    }
  }

  @Override
  public Integer call() throws BadTraceException {
    require(survivors == null || survivors > 0, "--survivors must be at least 1");
    List<Policy> policies = policies();
    Trace trace = traceFile == null ? Example2.trace() : TraceReader.read(traceFile);
    long bytes = space == null ? trace.classSpaceBytes() : space;
    int every = survivors == null ? 0 : survivors;
    Progress progress = new Progress(err, policies.size() * trace.count());
    List<Result> results = new ArrayList<>();
    for (Policy policy : policies) {
      progress.begin(policy.name());
      results.add(new Replay(policy, trace, bytes, every, progress).run());
    }
    Report report = new Report(trace, bytes, every, results);
    out.print(TextReport.of(report, map));
    return 0;
  }

  private List<Policy> policies() {
    if (policyNames.contains(ALL)) {
      return Policies.known();
    }
    return policyNames.stream().distinct().map(this::policy).toList();
  }

  private Policy policy(String name) {
    Policy policy = Policies.named(name);
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
}
