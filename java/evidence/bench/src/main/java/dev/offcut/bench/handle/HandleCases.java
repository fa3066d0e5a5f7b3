package dev.offcut.bench.handle;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk.Shenandoah;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The cases of suite {@code handle} in one of its two forms. In the quick one everything is
 * smaller, and what no bar needs waits for a later round, which a slow machine has no time for.
 */
final class HandleCases {
  /** In both forms: whether all come back is the question. */
  static final int FORGOTTEN = 1_000_000;

  private static final String G1 = "G1";
  private static final String PARALLEL = "Parallel";
  private static final String SERIAL = "Serial";

  /** The first handle of a program. */
  static final String FIRST = "first";

  static final String ALONE = "alone";

  /** With an AOT cache of the JVM. */
  static final String AOT = "offcut-aot";

  static final String OVER = "over_alone_cpu_ms";

  /** Of case {@code cleaner_…}. */
  static final List<String> HEAPS = List.of("64m", "256m", "8g");

  private static final List<String> OPEN_CLOSE =
      List.of(
          "plain",
          "plain-cas",
          "offcut",
          "offcut-cleaner",
          "jdk-cleaner",
          "jna-cleaner",
          "javacpp-pointer",
          "jdk-finalize");
  private static final List<String> PER_OPERATION =
      List.of("cpu_ns_per_op", "process_cpu_ns_per_op", "wall_ns_per_op", "alloc_bytes_per_op");

  /** What most bars are about; in the quick form the others wait. */
  private static final Set<String> IN_BARS = Set.of("plain", "offcut", "jdk-cleaner");

  private final boolean quick;
  private final Path jar;
  private final Path cache;

  /** The jar and the AOT cache are those of {@link FirstHandle}. */
  HandleCases(boolean quick, Path jar, Path cache) {
    this.quick = quick;
    this.jar = jar;
    this.cache = cache;
  }

  List<Case> all() {
    List<Case> all = new ArrayList<>();
    all.add(openClose());
    all.add(first());
    HEAPS.forEach(heap -> all.add(cleaner(heap)));
    all.addAll(List.of(finalization(), registerOom(), live(), forgotten(), manyThreads(), fifo()));
    return all;
  }

  /** A cleaner in small heaps and in a large one: the first are what a container has by default. */
  private Case cleaner(String heap) {
    List<String> collectors = new ArrayList<>(List.of(G1, SERIAL, PARALLEL, "Z"));
    if (Shenandoah.isThere()) {
      collectors.add("Shenandoah");
    }
    double seconds = quick ? 0.25 : 0.5;
    List<String> jvm = new ArrayList<>(HandleSuite.NOT_INLINED);
    jvm.add("-Xmx" + heap);
    List<ChildRun> runs = new ArrayList<>();
    for (String gc : collectors) {
      for (String impl : List.of("offcut-cleaner", "jdk-cleaner")) {
        runs.add(
            ChildRun.of(impl, gc, OpenClose.class, impl, 1, 0, seconds, seconds)
                .jvm(jvm)
                .estimate(2 * seconds + (quick ? 0.3 : 0.6))
                .from(later(gc.equals(G1) || gc.equals(SERIAL) ? 0 : 2)));
      }
    }
    String summary = "open and close under a cleaner in a heap of " + heap;
    return of("cleaner_" + heap, summary, PER_OPERATION, quick ? 3 : Case.ROUNDS, runs);
  }

  /** The collector that a program on two cores gets, so that the AOT cache fits. */
  private Case first() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : List.of(ALONE, "offcut", AOT, "jdk-cleaner")) {
      runs.add(
          ChildRun.of(impl, G1, FirstHandle.class, impl)
              .jvm(impl.equals(AOT) ? List.of("-XX:AOTCache=" + cache) : List.of())
              .classPath(jar.toString())
              .process("")
              .estimate(0.2));
    }
    return new Case(
        FIRST,
        "a program that opens one handle and closes it",
        List.of("cpu_ms", OVER),
        quick ? 5 : Case.ROUNDS,
        runs,
        List.of(new Case.Derived(OVER, "cpu_ms", ALONE)));
  }

  private Case openClose() {
    List<ChildRun> runs = new ArrayList<>();
    for (String gc : List.of(G1, PARALLEL)) {
      for (int threads = 1; threads <= (gc.equals(G1) ? 2 : 1); threads++) {
        for (String impl : OPEN_CLOSE) {
          boolean inBar = gc.equals(G1) && (threads == 1 || IN_BARS.contains(impl));
          boolean first = threads == 1 && IN_BARS.contains(impl);
          runs.add(openClose(impl, threads, gc, 0).from(later(inBar ? 0 : first ? 1 : 2)));
        }
      }
    }
    return of("open_close", "open a handle, close it at once", PER_OPERATION, rounds(4), runs)
        .headline(17, "cpu_ns_per_op", "offcut", "jdk-cleaner");
  }

  /** By CPU alone: the threads do not run at the same time. */
  private Case manyThreads() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl :
        List.of("plain", "offcut", "jdk-cleaner", "jna-cleaner", "javacpp-pointer")) {
      List<String> jvm = new ArrayList<>(HandleSuite.NOT_INLINED);
      jvm.addAll(heap("1g"));
      runs.add(
          ChildRun.of(impl, G1, OpenClose.class, impl, 1000, 0, 0.01, 0.02)
              .threads(1000)
              .jvm(jvm)
              .estimate(quick ? 4 : 8) // each thread has turns of some ms
              .from(later(IN_BARS.contains(impl) ? 0 : 1)));
    }
    List<String> metrics = List.of("cpu_ns_per_op");
    return of(
        "threads_1000", "the same, from 1,000 threads", metrics, quick ? 2 : Case.ROUNDS, runs);
  }

  private Case fifo() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : List.of("offcut", "jdk-cleaner")) {
      runs.add(openClose(impl, 1, G1, 10_000));
    }
    String summary = "10,000 open handles a thread: open one, close the oldest";
    return of("fifo_10k", summary, PER_OPERATION, quick ? 2 : Case.ROUNDS, runs);
  }

  private ChildRun openClose(String impl, int threads, String gc, int queue) {
    double warmUp = quick ? 0.3 : 0.5;
    double seconds = quick ? 0.25 : 0.5;
    List<String> jvm = new ArrayList<>(HandleSuite.NOT_INLINED);
    jvm.addAll(heap("1g"));
    if (!quick) {
      jvm.add("-XX:+AlwaysPreTouch"); // slow implementations do not get round the heap in time
    }
    return ChildRun.of(impl, gc, OpenClose.class, impl, threads, queue, warmUp, seconds)
        .threads(threads)
        .jvm(jvm)
        .estimate(warmUp + seconds + (quick ? 0.3 : 1.1));
  }

  private Case finalization() {
    int count = quick ? 500_000 : 10_000_000;
    List<ChildRun> runs = new ArrayList<>();
    for (String form : List.of("article", "escaping")) {
      for (String impl :
          List.of("plain", "jdk-finalize", "jdk-cleaner", "offcut", "offcut-cleaner")) {
        runs.add(process(impl, count, form, form + "_"));
      }
      runs.add(process("plain", count * 10, form, form + "_100m_"));
    }
    List<String> metrics = new ArrayList<>();
    for (String prefix : List.of("article_", "article_100m_", "escaping_", "escaping_100m_")) {
      for (String metric : List.of("elapsed_ms", "user_ms", "max_rss_mb")) {
        metrics.add(prefix + metric);
      }
    }
    String summary = "whole processes; in the article's form plain objects may be compiled away";
    return of("finalization", summary, metrics, rounds(3), runs);
  }

  private ChildRun process(String impl, int count, String form, String prefix) {
    return ChildRun.of(impl, G1, Finalization.class, impl, count, form, prefix)
        .process(prefix)
        .jvm(HandleSuite.NOT_INLINED)
        .estimate(quick ? 0.3 : 1);
  }

  private Case registerOom() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : List.of("jdk-cleaner", "jdk-cleaner-guarded", "offcut")) {
      List<String> jvm = new ArrayList<>(heap("4m")); // each error takes full collections
      jvm.add("-XX:-UseTLAB");
      runs.add(
          ChildRun.of(impl, SERIAL, RegisterOom.class, impl, quick ? 25 : 334)
              .jvm(jvm)
              .estimate(quick ? 1 : 18));
    }
    List<String> metrics = List.of("blocks_lost", "double_frees", "errors_injected");
    return of("register_oom", "what OutOfMemoryErrors while opening lose", metrics, rounds(1), runs)
        .together(2);
  }

  private Case live() {
    List<ChildRun> runs = new ArrayList<>();
    for (String gc : List.of(G1, PARALLEL)) {
      for (String impl : List.of("plain", "offcut", "jdk-cleaner")) {
        runs.add(
            ChildRun.of(impl, gc, Live.class, impl, quick ? 600_000 : 3_000_000)
                .jvm(heap("2g"))
                .estimate(quick ? 1.5 : 3.1)
                .from(later(gc.equals(G1) ? 0 : 1)));
      }
    }
    return new Case(
        "live_3m",
        "3,000,000 open handles (the quick form 600,000): their heap, and each full collection",
        List.of(
            "extra_heap_bytes_per_handle", "heap_bytes_per_handle", "full_gc_ms", "full_gc_cpu_ms"),
        rounds(3),
        runs,
        List.of(new Case.Derived("extra_heap_bytes_per_handle", "heap_bytes_per_handle", "plain")));
  }

  private Case forgotten() {
    List<ChildRun> runs = new ArrayList<>();
    for (String impl : List.of("offcut", "offcut-cleaner", "jdk-cleaner")) {
      runs.add(
          ChildRun.of(impl, G1, Forgotten.class, impl, FORGOTTEN)
              .jvm(heap("2g"))
              .estimate(2)
              .from(later(IN_BARS.contains(impl) ? 0 : 1)));
    }
    List<String> metrics = List.of("reclaim_ms", "reclaim_cpu_ms", "reclaimed", "gc_calls");
    String summary = "1,000,000 forgotten handles: the time until all are released";
    return of("forgotten_1m", summary, metrics, rounds(4), runs);
  }

  /** Of a fixed size, so that none pays for growth. */
  private static List<String> heap(String size) {
    return List.of("-Xms" + size, "-Xmx" + size);
  }

  private int later(int quickRound) {
    return quick ? quickRound : 0;
  }

  private int rounds(int ofQuickForm) {
    return quick ? ofQuickForm : Case.ROUNDS;
  }

  private static Case of(
      String name, String summary, List<String> metrics, int rounds, List<ChildRun> runs) {
    return new Case(name, summary, metrics, rounds, runs, List.of());
  }
}
