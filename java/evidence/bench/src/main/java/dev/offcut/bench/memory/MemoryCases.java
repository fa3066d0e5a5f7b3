package dev.offcut.bench.memory;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.malloc.MallocLibrary;
import dev.offcut.bench.memory.Allocator.NativeMalloc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cases of suite {@code memory} in one of its two forms. In the quick one everything is
 * shorter, what no bar needs waits for a later round, which a slow machine has no time for, and
 * what needs a quarter of a minute to settle is not there.
 */
final class MemoryCases {
  static final String OURS = "offcut";
  static final String CONFINED = "offcut-confined";
  static final String ARENA = "offcut-arena";
  static final String SHARED = "offcut-shared";

  static final String HINTS = "offcut-hints";
  static final String OF_CONFINED = "jdk-ofConfined";

  /** The first JDK that the library runs on. */
  static final int LEAST = 25;

  /** The first JDK whose confined arenas keep memory for the next one. */
  static final int POOLS_CONFINED = 28;

  /** The same where such a JDK may keep 128 KiB. */
  static final String TUNED = "jdk-ofConfined-tuned";

  private static final String CONFINED_POOL =
      "-Djdk.internal.foreign.native.confined.pool.power.size=17";

  static final String OF_SHARED = "jdk-ofShared";
  static final String ADAPTIVE = "netty-adaptive";
  static final String POOLED = "netty-pooled";
  static final String ADAPTIVE_SIMPLE = "netty-adaptive-simple";
  static final String POOLED_SIMPLE = "netty-pooled-simple";
  static final String NETTY_SIMPLE = "offcut-netty-simple";
  static final String NETTY = "offcut-netty";

  private static final List<String> NETTY_ALLOCATORS =
      List.of(NETTY_SIMPLE, NETTY, ADAPTIVE, POOLED, ADAPTIVE_SIMPLE, POOLED_SIMPLE);
  private static final String NO_DETECTOR = "-Dio.netty.leakDetection.level=disabled";
  static final String EACH_OWNER = "offcut-each-owner";
  static final String GAUGES = "micrometer-gauges";
  static final String MALLOC = "libc-malloc";
  static final String CRITICAL_MALLOC = MALLOC + NativeMalloc.CRITICAL;
  static final String JEMALLOC = MallocLibrary.JEMALLOC.title() + NativeMalloc.CRITICAL;

  static final String MIMALLOC = MallocLibrary.MIMALLOC.title() + NativeMalloc.CRITICAL;

  /** jemalloc at its best where memory is judged: it returns free pages at once. */
  private static final Map<String, String> NO_DECAY =
      Map.of("MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0");

  private static final String G1 = "G1";
  private static final List<String> PER_OPERATION = List.of("cpu_ns_per_op", "wall_ns_per_op");
  private static final List<String> WITH_BYTES =
      List.of("cpu_ns_per_op", "wall_ns_per_op", "resident_bytes", "live_bytes");

  private static final int KIB = 1024;

  /** The recorded programs. */
  static final Map<String, String> PROGRAMS =
      new TreeMap<>(
          Map.of(
              "python", "Python that imports modules",
              "git", "git that shows its log",
              "sqlite", "SQLite with a database in memory",
              "cc1", "a C compiler"));

  /** Of a program with fewer blocks there are several: what the JVM grows by is to be small. */
  private static final long TRACE_BYTES = 64 << 20;

  private final boolean quick;
  private final Set<MallocLibrary> libraries;

  /** {@code libraries}: which native allocators are there. */
  MemoryCases(boolean quick, Set<MallocLibrary> libraries) {
    this.quick = quick;
    this.libraries = libraries;
  }

  List<Case> all() {
    List<Case> all = new ArrayList<>();
    all.add(arenas("arena_64", 100, 64, true));
    all.add(arenas("arena_1x64", 1, 64, false));
    all.add(arenas("arena_1x1k", 1, KIB, false));
    all.add(arenas("arena_10x8k", 10, 8 * KIB, false));
    all.add(chunks("chunk_4k", 4 * KIB, 2048));
    all.add(chunks("chunk_64k", 64 * KIB, 512));
    all.add(allocFree(16, Set.of()));
    all.add(
        allocFree(64, Set.of(OURS, CONFINED, ADAPTIVE, CRITICAL_MALLOC))
            .headline(LEAST, "cpu_ns_per_op", OURS, CRITICAL_MALLOC));
    all.add(allocFree(1024, Set.of()));
    all.add(allocFree(16384, Set.of()));
    all.add(allocFree(33 * KIB, Set.of(OURS, CRITICAL_MALLOC)));
    all.add(allocFree(KIB * KIB, Set.of(OURS, CRITICAL_MALLOC)));
    all.add(larson());
    all.add(xmalloc());
    all.add(webSocketSizes());
    if (!quick) {
      all.add(burstSettle());
    }
    all.add(pinned());
    PROGRAMS.forEach((name, program) -> all.add(trace(name, program)));
    PROGRAMS.forEach((name, program) -> all.add(traceMemory(name, program)));
    all.add(nettyLive("netty_live_128", 128));
    all.add(nettyLive("netty_live_4096", 4096));
    all.add(nettySameThread());
    all.add(nettyHandedOver());
    if (!quick) {
      all.add(nettyBurst());
    }
    all.add(metricsScrape());
    return List.copyOf(all);
  }

  private Case arenas(String name, int blocks, int bytes, boolean shared) {
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      // From one thread it is a headline, which is measured on newer JDKs, too.
      boolean tuned = threads == 1 || Runtime.version().feature() >= POOLS_CONFINED;
      for (String impl : tuned ? List.of(OURS, OF_CONFINED, TUNED) : List.of(OURS, OF_CONFINED)) {
        ChildRun run = arenaRun(impl, blocks, bytes, threads);
        runs.add(threads == 1 ? run : run.from(later()));
      }
      for (String impl : shared ? List.of(SHARED, OF_SHARED) : List.<String>of()) {
        runs.add(arenaRun(impl, blocks, bytes, threads).from(later()));
      }
    }
    String summary =
        "an arena opened, %,d × %,d B taken from it, zeroed and written, and closed"
            .formatted(blocks, bytes);
    return of(name, summary, PER_OPERATION, rounds(), runs)
        .headline(LEAST, "cpu_ns_per_op", OURS, OF_CONFINED, TUNED);
  }

  private ChildRun arenaRun(String impl, int blocks, int bytes, int threads) {
    ChildRun run =
        ChildRun.of(impl, G1, ArenaCycle.class, impl, blocks, bytes, threads, warmUp(), seconds());
    ChildRun timed = timed(run, threads);
    if (!impl.equals(TUNED)) {
      return timed;
    }
    List<String> options = new ArrayList<>(timed.jvmArgs());
    options.add(CONFINED_POOL);
    return timed.jvm(options);
  }

  private Case chunks(String name, int bytes, int live) {
    Set<String> judged = Set.of(OURS, POOLED);
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : allocators(List.of(OURS, ADAPTIVE, POOLED))) {
      ChildRun run = liveSet(impl, impl.equals(OURS) ? "offcut-chunks" : impl, bytes, live, 1);
      runs.add(judged.contains(impl) ? run : run.from(later()));
    }
    String summary =
        "a random one of %,d chunks of %,d KiB freed, another one taken"
            .formatted(live, bytes / KIB);
    return of(name, summary, PER_OPERATION, rounds(), runs);
  }

  private ChildRun liveSet(String impl, String allocator, Object sizes, int live, int threads) {
    return timed(
        ChildRun.of(impl, G1, LiveSet.class, allocator, sizes, live, threads, warmUp(), seconds()),
        threads);
  }

  /** From two threads at one size. */
  private Case allocFree(int bytes, Set<String> judged) {
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= (bytes == 64 ? 2 : 1); threads++) {
      for (String impl :
          allocators(List.of(OURS, CONFINED, ARENA, OF_CONFINED, ADAPTIVE, POOLED))) {
        ChildRun run =
            timed(
                ChildRun.of(impl, G1, AllocFree.class, impl, bytes, threads, warmUp(), seconds()),
                threads);
        runs.add(threads == 1 && judged.contains(impl) ? run : run.from(later()));
      }
    }
    String summary = "a block of %,d B taken, written, and freed at once".formatted(bytes);
    return of("alloc_free_" + bytes, summary, PER_OPERATION, rounds(), runs);
  }

  private Case larson() {
    Set<String> judged = Set.of(OURS, ADAPTIVE);
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : allocators(List.of(OURS, ADAPTIVE, POOLED))) {
      ChildRun run = timed(ChildRun.of(impl, G1, Larson.class, impl, 2, warmUp(), seconds()), 2);
      runs.add(judged.contains(impl) ? run : run.from(later()));
    }
    String summary = "5,000 blocks of 8 to 1,000 B that outlive thread after thread";
    return of("larson", summary, PER_OPERATION, rounds(), runs);
  }

  private Case xmalloc() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : allocators(List.of(OURS, ADAPTIVE, POOLED))) {
      runs.add(
          timed(ChildRun.of(impl, G1, Xmalloc.class, impl, 1, warmUp(), seconds()), 1)
              .from(later()));
    }
    String summary = "blocks of 64 B taken by one thread, freed by another";
    return of("xmalloc", summary, PER_OPERATION, rounds(), runs);
  }

  private Case webSocketSizes() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : allocators(List.of(OURS, CONFINED, ARENA, OF_CONFINED, ADAPTIVE, POOLED))) {
      runs.add(liveSet(impl, impl, Sizes.WEB_SOCKET, 2048, 1).from(later()));
    }
    String summary = "a random one of 2,048 blocks freed, another one taken: a proxy's sizes";
    return of("web_socket_sizes", summary, WITH_BYTES, rounds(), runs);
  }

  private Case burstSettle() {
    int bytes = 8 * KIB;
    List<ChildRun> runs = new ArrayList<>();
    List<String> impls = allocators(List.of(OURS, OF_CONFINED, ADAPTIVE, POOLED));
    impls.remove(MALLOC); // how it is called is no matter of memory
    for (String impl : impls) {
      runs.add(
          ChildRun.of(impl, G1, BurstSettle.class, impl, (256 << 20) / bytes, bytes, 15)
              .jvm(jvm())
              .estimate(21));
    }
    List<String> metrics =
        List.of("resident_bytes", "live_bytes", "resident_bytes_1s", "resident_bytes_15s");
    String summary = "256 MiB of 8 KiB buffers for a moment: in memory then, and 1 and 15 s later";
    return of("burst_settle", summary, metrics, 1, runs).together(Case.WAITING);
  }

  private Case pinned() {
    List<ChildRun> runs = new ArrayList<>();
    runs.add(pinned(OURS, PinnedArenas.class, "trim"));
    runs.add(pinned(HINTS, PinnedArenas.class, "hints"));
    for (String impl : allocators(List.of(OF_CONFINED, ADAPTIVE, POOLED))) {
      runs.add(pinned(impl, Pinned.class, impl).from(later()));
    }
    List<String> metrics =
        List.of("resident_bytes", "live_bytes", "resident_by_live", "metadata_percent");
    String summary = "of 3,000 arenas or blocks of 2 KiB every 16th survives";
    return of("pinned", summary, metrics, rounds(), runs);
  }

  private ChildRun pinned(String impl, Class<?> main, String what) {
    return ChildRun.of(impl, G1, main, what, 3000, 2 * KIB, 16).jvm(jvm()).estimate(1);
  }

  private Case trace(String name, String program) {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : allocators(List.of(OURS, CONFINED))) {
      ChildRun run = ChildRun.of(impl, G1, TraceReplay.class, impl, name, warmUp(), seconds());
      runs.add(timed(run, 1).estimate(child(1.6)).from(later()));
    }
    String summary = "the blocks of " + program + ", taken and freed as it did";
    return of("trace_" + name, summary, PER_OPERATION, rounds(), runs);
  }

  private Case traceMemory(String name, String program) {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : allocators(List.of(OURS, CONFINED))) {
      ChildRun run =
          ChildRun.of(impl, G1, TraceMemory.class, impl, name, TRACE_BYTES, 8198423)
              .jvm(jvm())
              .estimate(2)
              .from(later());
      runs.add(impl.equals(JEMALLOC) ? run.environment(NO_DECAY) : run);
    }
    String summary = "the blocks of " + program + ": nine of ten are freed, then a trim";
    List<String> metrics = List.of("peak_by_live", "trimmed_by_live");
    return of("trace_" + name + "_memory", summary, metrics, rounds(), runs).together(2);
  }

  // Behind Netty's interface all do the same work: reference counts, checks of bounds, an object.
  // Each is judged against Netty with its leak detector at the default level, which tracks one
  // buffer
  // in 128, and without it.

  private static List<String> nettyJvm(String impl) {
    List<String> options = new ArrayList<>(jvm());
    if (impl.endsWith("-simple")) {
      options.remove(NO_DETECTOR);
      options.add("-Dio.netty.leakDetection.level=simple");
    }
    return options;
  }

  private Case nettyLive(String name, int live) {
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      for (String impl : NETTY_ALLOCATORS) {
        ChildRun run = liveSet(impl, impl, Sizes.WEB_SOCKET, live, threads);
        runs.add(run.jvm(nettyJvm(impl)).estimate(child(1.9)).from(later()));
      }
    }
    String summary =
        "a random one of %,d buffers released, another one taken: a proxy's sizes".formatted(live);
    return of(name, summary, PER_OPERATION, rounds(), runs);
  }

  private Case nettySameThread() {
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      for (String impl : NETTY_ALLOCATORS) {
        ChildRun run =
            ChildRun.of(impl, G1, AllocFree.class, impl, 1024, threads, warmUp(), seconds());
        runs.add(timed(run, threads).jvm(nettyJvm(impl)).estimate(child(1.9)).from(later()));
      }
    }
    String summary = "a buffer of 1,024 B taken, written, and released at once";
    return of("netty_same_thread", summary, PER_OPERATION, rounds(), runs);
  }

  private Case nettyHandedOver() {
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      for (String impl : NETTY_ALLOCATORS) {
        ChildRun run = ChildRun.of(impl, G1, Xmalloc.class, impl, threads, warmUp(), seconds());
        runs.add(timed(run, threads).jvm(nettyJvm(impl)).estimate(child(1.9)).from(later()));
      }
    }
    String summary = "buffers of 64 B taken by some threads, released by as many others";
    return of("netty_handed_over", summary, PER_OPERATION, rounds(), runs);
  }

  private Case nettyBurst() {
    int bytes = 8 * KIB;
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : List.of(NETTY, ADAPTIVE, POOLED)) {
      runs.add(
          ChildRun.of(impl, G1, BurstSettle.class, impl, (256 << 20) / bytes, bytes, 15)
              .jvm(jvm())
              .estimate(17));
    }
    List<String> metrics =
        List.of(
            "resident_bytes",
            "live_bytes",
            "resident_bytes_1s",
            "resident_bytes_10s",
            "resident_bytes_15s");
    String summary = "256 MiB of 8 KiB buffers for a moment: in memory then, and 1, 10, 15 s later";
    return of("netty_burst", summary, metrics, 1, runs).together(Case.WAITING);
  }

  private Case metricsScrape() {
    int owners = 1_000;
    int defaults = 20;
    List<ChildRun> runs =
        List.of(
            scrapes(OURS, "offcut", owners, defaults),
            scrapes(EACH_OWNER, "offcut", owners, owners),
            scrapes(GAUGES, "gauges", owners, owners));
    String summary =
        "a page for Prometheus, of a pool with %,d owners: series of the %d largest, or of each"
            .formatted(owners, defaults);
    List<String> metrics = List.of("cpu_us_per_op", "alloc_bytes_per_op");
    return of("metrics_scrape", summary, metrics, rounds(), runs);
  }

  private ChildRun scrapes(String impl, String what, int owners, int series) {
    double warmUp = 4 * warmUp();
    double seconds = 2 * seconds();
    return ChildRun.of(impl, G1, MetricsScrape.class, what, owners, series, warmUp, seconds)
        .jvm(jvm())
        .estimate(warmUp + seconds + (quick ? 1 : 4.5));
  }

  private ChildRun timed(ChildRun run, int threads) {
    return run.threads(threads).jvm(jvm()).estimate(child(1));
  }

  /** The seconds of a child that needs so many beside its warm-up and measuring. */
  private double child(double more) {
    return warmUp() + seconds() + (quick ? 0.7 : more);
  }

  /**
   * These, and native allocators. The C library's is called both by plain downcalls, as programs do
   * that know no better, and by critical ones, as the pool calls the system; the others by critical
   * ones.
   */
  private List<String> allocators(List<String> some) {
    List<String> all = new ArrayList<>(some);
    all.add(MALLOC);
    for (MallocLibrary library : MallocLibrary.values()) {
      if (libraries.contains(library)) {
        all.add(library.title() + NativeMalloc.CRITICAL);
      }
    }
    return all;
  }

  /**
   * Each at its best: Netty with Unsafe and without its leak detector. What is compiled is waited
   * for: on a busy machine the warm-up would end before the last compilation.
   */
  private static List<String> jvm() {
    return List.of(
        "-Xbatch",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        NO_DETECTOR,
        "-XX:MaxDirectMemorySize=2g",
        "-Xms256m",
        "-Xmx256m",
        "-XX:+AlwaysPreTouch");
  }

  private double warmUp() {
    return quick ? 0.3 : 0.4;
  }

  private double seconds() {
    return quick ? 0.15 : 0.3;
  }

  private int later() {
    return quick ? 1 : 0;
  }

  private int rounds() {
    return quick ? 2 : Case.ROUNDS;
  }

  private static Case of(
      String name, String summary, List<String> metrics, int rounds, List<ChildRun> runs) {
    List<ChildRun> started = runs.stream().map(MemoryCases::withLateLibraries).toList();
    return new Case(name, summary, metrics, rounds, started, List.of());
  }

  private static ChildRun withLateLibraries(ChildRun run) {
    Map<String, String> environment = new HashMap<>(run.environment());
    environment.putAll(MallocLibrary.ENVIRONMENT);
    return run.environment(environment);
  }
}
