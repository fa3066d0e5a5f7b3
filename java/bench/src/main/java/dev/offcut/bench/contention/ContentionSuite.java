package dev.offcut.bench.contention;

import com.sun.jna.Native;
import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.bench.handle.HandleSuite;
import dev.offcut.bench.malloc.MallocLibrary;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Suite {@code contention}: the same operations from more and more threads. Handles, the map, the
 * pool's blocks and chunks, and the agent's counters, each beside a peer. What one thread takes is
 * measured by the suites of these libraries, whose programs run here; the rows of this one are
 * about how their throughput grows.
 *
 * <p>It has no bars: the growth is a property of the machine, too. The page draws it and gives the
 * parameters of {@link ScalabilityLaw}.
 */
public final class ContentionSuite implements Suite {
  /** Metric of the curves. */
  public static final String THROUGHPUT = "wall_ops_per_ms";

  /** The most threads that a run may have. */
  public static final int MOST_THREADS = 1024;

  private static final int MOST_THREADS_BY_DEFAULT = 64;

  private static final String G1 = "G1";
  private static final List<String> METRICS = List.of(THROUGHPUT, "cpu_ns_per_op");
  private static final String AGENT = "offcut-agent";

  /** So many threads a CPU: what a machine does that has more to do than CPUs. */
  private static final int OVERSUBSCRIBED = 8;

  private static final int LIVE_ADDRESSES = 10_000;
  private static final int LIVE_CHUNKS = 256;
  private static final int CHUNK_BYTES = 4096;
  private static final int BLOCK_BYTES = 64;

  private final List<Integer> threads;

  /** With numbers of threads that suit this machine. */
  public ContentionSuite() {
    this(defaultThreads(Runtime.getRuntime().availableProcessors()));
  }

  /** With these numbers of threads, in rising order. */
  public ContentionSuite(List<Integer> threads) {
    this.threads = List.copyOf(threads);
  }

  /** Powers of two: up to eight times the CPUs, and 64 at most. */
  static List<Integer> defaultThreads(int cpus) {
    List<Integer> all = new ArrayList<>();
    for (int n = 1; n <= Math.min(MOST_THREADS_BY_DEFAULT, OVERSUBSCRIBED * cpus); n *= 2) {
      all.add(n);
    }
    return all;
  }

  @Override
  public String name() {
    return "contention";
  }

  @Override
  public List<Case> cases(boolean quick) {
    double warmUp = quick ? 0.2 : 0.35;
    double seconds = quick ? 0.15 : 0.3;
    Cases cases = new Cases(quick, warmUp, seconds);
    cases.add(
        "handle",
        "a handle opened and closed",
        List.of("offcut", "jdk-cleaner", "jna-cleaner"),
        (impl, n) ->
            child(impl, "child.handle.OpenClose", impl, n, 0, warmUp, seconds).jvm(escaping()));
    cases.add(
        "map",
        "one of 64 addresses put into a map of 10,000 others, and removed",
        List.of("offcut", "jdk-chm", "jctools"),
        (impl, n) ->
            child(impl, "longmap.PutRemove", impl, "lifo", LIVE_ADDRESSES, 0, n, warmUp, seconds)
                .jvm(List.of("-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED")));
    cases.add(
        "block",
        "a block of 64 B allocated, written, and freed",
        List.of("offcut", "libc-malloc-critical", "netty-pooled"),
        (impl, n) ->
            child(impl, "memory.AllocFree", impl, BLOCK_BYTES, n, warmUp, seconds).jvm(memory()));
    cases.add(
        "chunk",
        "a random one of 256 chunks of 4 KiB freed, another one allocated",
        List.of("offcut", "libc-malloc-critical", "netty-pooled"),
        (impl, n) ->
            child(
                    impl,
                    "memory.LiveSet",
                    impl.equals("offcut") ? "offcut-chunks" : impl,
                    CHUNK_BYTES,
                    LIVE_CHUNKS,
                    n,
                    warmUp,
                    seconds)
                .jvm(memory()));
    if (Agent.jar() != null) {
      cases.add(
          "agent",
          "a confined arena opened, 64 B taken from it, and closed; counted by the agent or not",
          List.of(AGENT, "jdk"),
          (impl, n) -> {
            ChildRun run = ChildRun.of(impl, G1, CountedArenas.class, n, warmUp, seconds);
            return impl.equals(AGENT)
                ? run.jvm(
                    List.of("-javaagent:" + Objects.requireNonNull(Agent.jar()) + "=quiet=on"))
                : run;
          });
    }
    return cases.all;
  }

  /** A program of another suite. */
  private static ChildRun child(String impl, String name, Object... args) {
    return ChildRun.of(impl, G1, "dev.offcut.bench." + name, args);
  }

  private static List<String> escaping() {
    List<String> jvm = new ArrayList<>(HandleSuite.NOT_INLINED);
    jvm.addAll(List.of("-Xms1g", "-Xmx1g"));
    return jvm;
  }

  private static List<String> memory() {
    return List.of(
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "-Dio.netty.leakDetection.level=disabled",
        "-XX:MaxDirectMemorySize=2g",
        "-Xms256m",
        "-Xmx256m");
  }

  /** One implementation from so many threads. */
  private interface Program {
    ChildRun of(String impl, int threads);
  }

  private final class Cases {
    private final boolean quick;
    private final double estimate;
    private final List<Case> all = new ArrayList<>();

    Cases(boolean quick, double warmUp, double seconds) {
      this.quick = quick;
      estimate = warmUp + seconds + (quick ? 0.7 : 1.2);
    }

    /** The quick form has ours and the first peer. */
    void add(String name, String summary, List<String> impls, Program program) {
      List<ChildRun> runs = new ArrayList<>();
      for (int n : threads) {
        for (String impl : quick ? impls.subList(0, 2) : impls) {
          runs.add(program.of(impl, n).threads(n).estimate(estimate));
        }
      }
      all.add(new Case(name, summary, METRICS, quick ? 1 : Case.ROUNDS, runs, List.of()));
    }
  }

  @Override
  public List<Bar> bars() {
    return List.of();
  }

  @Override
  public List<LeftOut> leftOut() {
    return Agent.jar() != null ? List.of() : List.of(new LeftOut("agent", Agent.absence(AGENT)));
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return switch (impl) {
      case "jctools" -> Versions.of("org.jctools", "jctools-core");
      case "jna-cleaner" -> Native.VERSION;
      case "netty-pooled" -> Versions.of("io.netty", "netty-buffer");
      case "libc-malloc-critical" -> MallocLibrary.LIBC.version();
      default -> isOurs(impl) ? Versions.of("dev.offcut", "offcut-handle") : jdk.version();
    };
  }

  @Override
  public Better better(String metric) {
    return metric.equals(THROUGHPUT) ? Better.HIGHER : Better.LOWER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.startsWith("offcut");
  }

  @Override
  public boolean isPeer(String impl) {
    return !isOurs(impl);
  }
}
