package dev.offcut.replay;

import dev.offcut.replay.OutputFile.CannotWriteException;
import dev.offcut.replay.record.Recorder;
import dev.offcut.replay.record.Recorder.RecordException;
import dev.offcut.replay.report.Report;
import dev.offcut.replay.report.TextReport;
import dev.offcut.replay.space.Policy;
import dev.offcut.replay.trace.Example2;
import dev.offcut.replay.trace.Trace;
import dev.offcut.replay.trace.Trace.BadTraceException;
import dev.offcut.replay.trace.Trace.ClassSpace;
import dev.offcut.replay.trace.TraceReader;
import dev.offcut.replay.trace.TraceWriter;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
      "       offcut replay --record FILE [--space SIZE] -- java …"
    },
    footer = {
      "",
      "The results go to stdout. Exit codes: 0 success, 1 failure, 2 wrong usage; with"
          + " --record the program's own."
    })
final class ReplayCommand implements Callable<Integer> {
  private static final String ALL = "all";

  /** What a JVM has if it is not told otherwise. */
  private static final long DEFAULT_SPACE_BYTES = 1L << 30;

  @Parameters(
      arity = "0..*",
      paramLabel = "TRACE",
      description =
          "A trace: a file that --record wrote, or spec/replay-*.jsonl (default: Example2 of"
              + " JDK-8198423).")
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
      description =
          "The size of class space, such as 10M (default: the size in the trace; with --record"
              + " 1G, the JVM's own default).")
  private @Nullable Long space;

  @Option(
      names = "--survivors",
      paramLabel = "K",
      description =
          "Keep every K-th arena that the trace closes, as if its class loader survived"
              + " (default: none).")
  private @Nullable Integer survivors;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "Replay nothing: run the Java program behind -- and write its trace to a file.")
  private @Nullable Path record;

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
  private final PrintStream err;

  ReplayCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
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
  public Integer call() throws BadTraceException, CannotWriteException, RecordException {
    return record == null ? replay() : record(record);
  }

  // ---- Replaying

  private int replay() throws BadTraceException {
    require(survivors == null || survivors > 0, "--survivors must be at least 1");
    require(words.size() <= 1, "one trace at a time; to record a program, give --record FILE");
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

  // ---- Recording

  private int record(Path file) throws RecordException, CannotWriteException {
    require(!words.isEmpty(), "--record needs a program: offcut replay --record FILE -- java …");
    String program = words.getFirst();
    require(
        Recorder.isJava(program),
        "--record runs a JVM of its own; the command behind -- must begin with java, not "
            + program);
    OutputFile.check(file);
    HoldOnSignal hold = new HoldOnSignal();
    try {
      return recorded(file, Recorder.record(words, space == null ? DEFAULT_SPACE_BYTES : space));
    } finally {
      hold.release();
    }
  }

  private int recorded(Path file, Recorder.Outcome outcome) throws CannotWriteException {
    int exitCode = outcome.exitCode();
    Trace trace = outcome.trace();
    if (trace == null) {
      err.println(
          "offcut: there is no trace: the program left no recording (exit code "
              + exitCode
              + "); it must be a JVM with Flight Recorder that ends by itself");
      return exitCode == 0 ? ExitCode.SOFTWARE : exitCode;
    }
    OutputFile.write(file, writer -> TraceWriter.write(trace, writer));
    err.println("offcut: wrote " + file + TextReport.estimate(trace));
    err.println("  next: offcut replay " + file);
    return exitCode;
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

  /**
   * Until it is released, a signal that ends this JVM has to wait: Ctrl-C reaches a recorded
   * program too, and its trace is to be written when it has ended. The JVM then ends with the
   * signal's code.
   */
  static final class HoldOnSignal {
    private final CountDownLatch released = new CountDownLatch(1);

    HoldOnSignal() {
      Runtime.getRuntime().addShutdownHook(new Thread(this::hold, "hold on signal"));
    }

    private void hold() {
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** The trace is written. */
    void release() {
      released.countDown();
    }
  }
}
