package dev.offcut.bench.handle;

import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite;
import dev.offcut.handle.Handle;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Suite {@code handle}: Offcut's handles against the JDK's Cleaner and finalization, and objects
 * without any net.
 */
public final class HandleSuite implements Suite {
  private static final String OURS = "offcut";
  private static final String CLEANER = "jdk-cleaner";
  private static final List<String> OPEN_CLOSE =
      List.of("plain", OURS, "offcut-cleaner", CLEANER, "jdk-finalize");

  @Override
  public String name() {
    return "handle";
  }

  @Override
  public List<Case> cases(boolean quick) {
    int live = quick ? 300_000 : 3_000_000;
    int forgotten = quick ? 200_000 : 1_000_000;
    int opened = quick ? 500_000 : 10_000_000;
    return List.of(
        openClose(quick),
        Case.of(
            "first",
            "a program that opens one handle and closes it",
            List.of("cpu_ms"),
            quick,
            List.of(first("alone"), first(OURS), first(CLEANER))),
        Case.of(
            "finalization",
            "whole processes that open and close 10,000,000 handles (quick: 500,000)",
            List.of("elapsed_ms", "cpu_ms", "max_rss_mb"),
            quick,
            programs(
                    OpenMany.class,
                    opened,
                    "plain",
                    "jdk-finalize",
                    CLEANER,
                    OURS,
                    "offcut-cleaner")
                .stream()
                .map(ChildRun::whole)
                .toList()),
        Case.of(
            "live_3m",
            "3,000,000 open handles (quick: 300,000): their heap over plain ones, a full collection",
            List.of("extra_heap_bytes_per_handle", "full_gc_ms"),
            quick,
            programs(Live.class, live, OURS, CLEANER)),
        Case.of(
            "forgotten_1m",
            "1,000,000 forgotten handles (quick: 200,000): the time until all are released",
            List.of("reclaim_ms", "reclaim_cpu_ms"),
            quick,
            programs(Forgotten.class, forgotten, OURS, "offcut-cleaner", CLEANER)));
  }

  private static Case openClose(boolean quick) {
    List<ChildRun> runs = new ArrayList<>();
    for (int threads = 1; threads <= 2; threads++) {
      for (String impl : threads == 1 ? OPEN_CLOSE : List.of("plain", OURS, CLEANER)) {
        runs.add(
            ChildRun.loop(impl, threads, OpenClose.class, Map.of())
                .jvm(List.of("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch")));
      }
    }
    String summary = "open a handle, close it at once";
    return Case.of("open_close", summary, Case.PER_OPERATION, quick, runs);
  }

  /** Nothing on its class path but what it needs: the JVM looks through all of it. */
  private static ChildRun first(String impl) {
    String path = Agent.placeOf(Handle.class) + File.pathSeparator + Agent.placeOf(OpenMany.class);
    return ChildRun.program(impl, OpenMany.class, impl, 1).classPath(path).whole();
  }

  private static List<ChildRun> programs(Class<?> main, int count, String... impls) {
    return List.of(impls).stream()
        .map(impl -> ChildRun.program(impl, main, impl, count).jvm(List.of("-Xmx2g")))
        .toList();
  }

  @Override
  public List<Bar> bars() {
    Place cpu = new Place("open_close", "cpu_ns_per_op");
    return List.of(
        cpu.ratio(0.50, OURS, CLEANER),
        cpu.ratio(2.0, OURS, "plain"),
        cpu.ratio(1.3, "offcut-cleaner", CLEANER),
        new Place("open_close", "wall_ns_per_op", 2).ratio(0.10, OURS, CLEANER),
        new Place("first", "cpu_ms").over(10, OURS, CLEANER),
        new Place("finalization", "elapsed_ms").ratio(0.55, OURS, CLEANER),
        new Place("live_3m", "full_gc_ms").ratio(0.80, OURS, CLEANER),
        new Place("live_3m", "extra_heap_bytes_per_handle").ratio(0.60, OURS, CLEANER),
        new Place("forgotten_1m", "reclaim_ms").ratio(0.5, OURS, CLEANER));
  }

  @Override
  public boolean isPeer(String impl) {
    return impl.startsWith("jdk-");
  }
}
