package dev.offcut.bench.longmap;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cases of suite {@code longmap} in one of its two forms. In the quick one everything is
 * shorter, and what no bar needs waits for a later round, which a slow machine has no time for.
 */
final class LongmapCases {
  static final String OURS = "offcut";

  /** In the order of the rows. */
  static final List<String> PEERS =
      List.of(
          "jdk-chm",
          "artemis",
          "bookkeeper",
          "jctools",
          "fastutil-sync",
          "fastutil-striped",
          "hppc-sync",
          "hppc-striped",
          "agrona-sync");

  /** A million keys from two threads, where no bar compares maps. */
  private static final List<String> LARGE_TOGETHER =
      List.of(OURS, "jdk-chm", "artemis", "agrona-sync");

  private static final String G1 = "G1";
  private static final List<String> PER_OPERATION =
      List.of("cpu_ns_per_op", "wall_ns_per_op", "alloc_bytes_per_op");
  private static final int LIVE = 10_000;
  private static final int MILLION = 1_000_000;

  /** Nothing but warnings less: malloc is called, and jctools and JNA use Unsafe. */
  private static final List<String> ALLOWED =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  private static final String TOUCHED = "-XX:+AlwaysPreTouch";

  private final boolean quick;
  private final @Nullable Path agent;
  private final boolean shenandoah;

  /** {@code agent} is null where there is none; {@code shenandoah}: whether the JVM has it. */
  LongmapCases(boolean quick, @Nullable Path agent, boolean shenandoah) {
    this.quick = quick;
    this.agent = agent;
    this.shenandoah = shenandoah;
  }

  List<Case> all() {
    return List.of(
        putRemove("10k", "lifo", this::isJudgedHot),
        putRemove("10k", "fifo", LongmapCases::isOurs),
        putRemove("1m", "lifo", LongmapCases::isOurs),
        putRemove("1m", "fifo", LongmapCases::isOurs),
        mixed(),
        addRemove(),
        churn(),
        burstDrain(),
        grow(),
        jnaMemory());
  }

  /** The bars are about these two peers on one thread, and about the best of all on two. */
  private boolean isJudgedHot(ChildRun run) {
    return run.threads() == 2 || List.of(OURS, "jdk-chm", "artemis").contains(run.impl());
  }

  private Case putRemove(String size, String order, Predicate<ChildRun> judged) {
    boolean large = size.equals("1m");
    boolean lifo = order.equals("lifo");
    int live = !large ? LIVE : quick ? MILLION / 4 : MILLION;
    int recorded = lifo ? Lifo.HOT : quick ? MILLION / 4 : MILLION;
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      for (String impl : large && threads == 2 ? LARGE_TOGETHER : everyone()) {
        ChildRun run =
            ChildRun.of(
                    impl,
                    G1,
                    PutRemove.class,
                    impl,
                    order,
                    live,
                    recorded,
                    threads,
                    warmUp(),
                    seconds())
                .threads(threads)
                .jvm(lifo ? touched(large ? "512m" : "256m") : untouched(large ? "2g" : "1g"))
                .estimate(warmUp() + seconds() + 0.5 + (live + threads * recorded) / 1e6);
        runs.add(judged.test(run) ? run : run.from(later()));
      }
    }
    String lives = large ? "1,000,000 live (the quick form 250,000)" : "10,000 live";
    String summary =
        lifo
            ? "put one of 64 addresses, remove it at once; "
            : "put a fresh address, remove the one put 1,024 before; ";
    String name = "put_remove_" + size + "_" + order;
    return of(name, summary + lives, PER_OPERATION, rounds(), runs);
  }

  private Case mixed() {
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      for (String impl : everyone()) {
        runs.add(
            ChildRun.of(impl, G1, Mixed.class, impl, LIVE, threads, warmUp(), seconds())
                .threads(threads)
                .jvm(touched("256m"))
                .estimate(warmUp() + seconds() + 0.5));
      }
    }
    String summary = "10,000 addresses live: 80 % get, 10 % put, 10 % remove";
    return of("mixed_80_10_10", summary, PER_OPERATION, rounds(), runs)
        .headline(25, "cpu_ns_per_op", OURS, "jdk-chm");
  }

  /** Of a small heap, so that collections can be counted. */
  private Case addRemove() {
    double warmUp = quick ? 0.25 : 0.7;
    double seconds = quick ? 0.3 : 1;
    List<ChildRun> runs = new ArrayList<>();
    for (String gc : shenandoah ? List.of(G1, "Z", "Shenandoah") : List.of(G1, "Z")) {
      for (String impl : List.of(OURS, "jdk-chm", "artemis")) {
        runs.add(
            ChildRun.of(impl, gc, AddRemove.class, impl, warmUp, seconds)
                .jvm(touched("256m"))
                .estimate(warmUp + seconds + 0.5)
                .from(later()));
      }
    }
    String summary = "JNA's pull request 1703: put and remove of a value allocated for it (24 B)";
    return of("add_remove", summary, FiveFigures.METRICS, rounds(), runs);
  }

  private Case churn() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : everyone()) {
      runs.add(
          ChildRun.of(impl, G1, Churn.class, impl, 5 * MILLION, 1000, quick ? 250_000 : MILLION)
              .jvm(heap("1g"))
              .estimate(impl.equals("jctools") ? 5 : 2)
              .from(isOurs(impl) ? 0 : later()));
    }
    String summary = "5,000,000 addresses come and go, 1,000 live: what the map holds then";
    return of("fifo_1k", summary, List.of("retained_bytes"), rounds(), runs);
  }

  private Case burstDrain() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : everyone()) {
      runs.add(
          ChildRun.of(impl, G1, BurstDrain.class, impl, MILLION, 3)
              .jvm(heap("1g"))
              .estimate(quick ? 5 : 9)
              .from(isOurs(impl) ? 0 : later()));
    }
    List<String> metrics = List.of("retained_bytes", "peak_bytes", "given_back_percent");
    String summary = "1,000,000 puts, removes of all: what the map holds three seconds later";
    return of("burst_drain_1m", summary, metrics, rounds(), runs).together(Case.WAITING);
  }

  /** In memory that the system has given already, as in a program that runs for long. */
  private Case grow() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : everyone()) {
      runs.add(
          ChildRun.of(impl, G1, Grow.class, impl, MILLION, quick ? 2 : 3)
              .jvm(touched(quick ? "512m" : "1g"))
              .estimate(quick ? 4 : 5)
              .from(isOurs(impl) ? 0 : later()));
    }
    List<String> metrics =
        List.of(
            "worst_op_us",
            "ops_over_200us",
            "empty_loop_worst_us",
            "empty_loop_over_200us",
            "more_over_200us",
            "entry_bytes");
    String summary = "1,000,000 puts into an empty map: the slowest, and the heap of an entry";
    return of("grow_1m", summary, metrics, rounds(), runs);
  }

  private Case jnaMemory() {
    double warmUp = quick ? 0.4 : 0.8;
    double seconds = quick ? 0.3 : 1;
    ChildRun stock =
        ChildRun.of("jna-stock", G1, JnaMemory.class, warmUp, seconds)
            .jvm(touched("256m"))
            .estimate(warmUp + seconds + 0.5);
    List<ChildRun> runs = new ArrayList<>(List.of(stock));
    if (agent != null) {
      List<String> jvm = touched("256m");
      jvm.add("-javaagent:" + agent);
      runs.add(
          ChildRun.of("jna-offcut", G1, JnaMemory.class, warmUp, seconds)
              .jvm(jvm)
              .estimate(stock.estimate()));
    }
    List<String> metrics = new ArrayList<>(FiveFigures.METRICS);
    metrics.addAll(List.of("cpu_ns_per_op", "wall_ns_per_op"));
    String summary = "new Memory(64) and its close, with JNA as it is and with Offcut's map in it";
    return of("jna_memory", summary, metrics, rounds(), runs);
  }

  private double warmUp() {
    return quick ? 0.15 : 0.35;
  }

  private double seconds() {
    return quick ? 0.15 : 0.4;
  }

  private static List<String> everyone() {
    List<String> all = new ArrayList<>(List.of(OURS));
    all.addAll(PEERS);
    return all;
  }

  private static boolean isOurs(ChildRun run) {
    return isOurs(run.impl());
  }

  private static boolean isOurs(String impl) {
    return impl.equals(OURS);
  }

  /**
   * As {@link #touched}, but of a size that takes long to get: in the quick form only what is soon
   * used again is touched before it is measured.
   */
  private List<String> untouched(String size) {
    List<String> jvm = heap(size);
    jvm.add(quick ? "-Xmn64m" : TOUCHED);
    return jvm;
  }

  /** In memory that the system has given already: to get it may cost more than the map. */
  private static List<String> touched(String size) {
    List<String> jvm = heap(size);
    jvm.add(TOUCHED);
    return jvm;
  }

  /** Of a fixed size, so that none pays for growth. */
  private static List<String> heap(String size) {
    List<String> jvm = new ArrayList<>(ALLOWED);
    jvm.addAll(List.of("-Xms" + size, "-Xmx" + size));
    return jvm;
  }

  private int later() {
    return quick ? 1 : 0;
  }

  private int rounds() {
    return quick ? 2 : Case.ROUNDS;
  }

  private static Case of(
      String name, String summary, List<String> metrics, int rounds, List<ChildRun> runs) {
    return new Case(name, summary, metrics, rounds, runs, List.of());
  }
}
