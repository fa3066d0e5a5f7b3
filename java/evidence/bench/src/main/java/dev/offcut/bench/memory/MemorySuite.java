package dev.offcut.bench.memory;

import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.bench.malloc.MallocLibrary;
import dev.offcut.bench.memory.Allocator.NativeMalloc;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Suite {@code memory}: Offcut's pool, its arenas and its heap against the JDK's arenas, Netty's
 * two allocators, and native ones called from Java.
 *
 * <p>All blocks are written, kept in an array, and found unchanged. A row {@code offcut} is a
 * confined arena in the cases of arenas, and the heap for any thread elsewhere; {@code
 * offcut-confined} is a heap for one thread. In the cases {@code netty_…} all are behind Netty's
 * interface.
 */
public final class MemorySuite implements Suite {
  private static final String OURS = "offcut";
  private static final String CONFINED = "offcut-confined";
  private static final String OF_CONFINED = "jdk-ofConfined";
  private static final String ADAPTIVE = "netty-adaptive";
  private static final String POOLED = "netty-pooled";
  private static final String NETTY = "offcut-netty";
  private static final String MALLOC = MallocLibrary.LIBC.title();
  private static final String MIMALLOC = MallocLibrary.MIMALLOC.title();
  private static final String JEMALLOC = MallocLibrary.JEMALLOC.title();

  private static final List<String> PROGRAMS = List.of("cc1", "git", "python", "sqlite");

  /** Of a program with fewer blocks there are several: what the JVM grows by is to be small. */
  private static final long TRACE_BYTES = 64 << 20;

  private static final int SEED = 8_198_423;

  /** jemalloc at its best where memory is judged: it returns free pages at once. */
  private static final Map<String, String> NO_DECAY =
      Map.of(
          "MALLOC_CONF",
          "dirty_decay_ms:0,muzzy_decay_ms:0",
          MallocLibrary.TUNABLES,
          MallocLibrary.ROOM);

  /** Each at its best: Netty with Unsafe. */
  private static final List<String> JVM =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:MaxDirectMemorySize=2g",
          "-Xms256m",
          "-Xmx256m",
          "-XX:+AlwaysPreTouch");

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public List<Case> cases(boolean quick) {
    List<Case> all = new ArrayList<>();
    for (int blocks : List.of(100, 1)) {
      all.add(
          loops(
              blocks == 1 ? "arena_1x64" : "arena_64",
              "an arena opened, %d × 64 B taken, written, and closed".formatted(blocks),
              quick,
              1,
              ArenaCycle.class,
              Map.of("blocks", String.valueOf(blocks)),
              List.of(OURS, OF_CONFINED)));
    }
    for (int bytes : List.of(64, 33 * 1024)) {
      String summary = "a block of %,d B taken, written, and freed at once".formatted(bytes);
      Map<String, String> params = Map.of("bytes", String.valueOf(bytes));
      all.add(loops("alloc_free_" + bytes, summary, quick, 1, AllocFree.class, params, natives()));
    }
    for (String program : PROGRAMS) {
      String summary = "the blocks of the recorded program, taken and freed as it did";
      Map<String, String> params = Map.of("program", program);
      all.add(loops("trace_" + program, summary, quick, 1, TraceReplay.class, params, natives()));
    }
    PROGRAMS.forEach(program -> all.add(traceMemory(program, quick)));
    List<String> netty = List.of(NETTY, ADAPTIVE, POOLED);
    String live = "a random one of 4,096 buffers released, another one taken: a proxy's sizes";
    all.add(loops("netty_live_4096", live, quick, 1, NettyLive.class, Map.of(), netty));
    String handed = "buffers of 64 B taken by one thread, released by another; both ways";
    all.add(loops("netty_handed_over", handed, quick, 2, NettyHandedOver.class, Map.of(), netty));
    all.add(nettyBurst(quick));
    return all;
  }

  private static Case loops(
      String name,
      String summary,
      boolean quick,
      int threads,
      Class<?> benchmark,
      Map<String, String> params,
      List<String> impls) {
    List<String> jvm = new ArrayList<>(JVM);
    if (impls.contains(NETTY)) {
      jvm.addAll(NettyBuffers.Threads.OPTIONS);
    }
    List<ChildRun> runs =
        impls.stream()
            .map(impl -> ChildRun.loop(impl, threads, benchmark, params).jvm(jvm))
            .toList();
    return Case.of(name, summary, Case.PER_OPERATION, quick, runs);
  }

  private static Case traceMemory(String program, boolean quick) {
    long bytes = quick ? 1 : TRACE_BYTES;
    List<ChildRun> runs =
        natives().stream()
            .map(impl -> ChildRun.program(impl, TraceMemory.class, impl, program, bytes, SEED))
            .map(run -> run.jvm(JVM))
            .map(run -> run.impl().equals(JEMALLOC) ? run.environment(NO_DECAY) : run)
            .toList();
    String summary = "the blocks of the recorded program: nine of ten are freed, then a trim";
    List<String> metrics = List.of("peak_by_live", "trimmed_by_live");
    return Case.of("trace_" + program + "_memory", summary, metrics, quick, runs)
        .rounds(6)
        .together(2);
  }

  private static Case nettyBurst(boolean quick) {
    int bytes = 8 << 10;
    int buffers = (quick ? 16 << 20 : 256 << 20) / bytes;
    List<ChildRun> runs =
        Stream.of(NETTY, ADAPTIVE, POOLED)
            .map(
                impl -> ChildRun.program(impl, NettyBurst.class, impl, buffers, bytes, 10).jvm(JVM))
            .toList();
    List<String> metrics = List.of("resident_bytes", "resident_bytes_10s");
    String summary = "256 MiB of 8 KiB buffers for a moment: in memory then, and 10 s later";
    return Case.of("netty_burst", summary, metrics, quick, runs).rounds(6).together(3);
  }

  /** Ours, and the native allocators that are here. */
  private static List<String> natives() {
    Stream<String> here =
        Arrays.stream(MallocLibrary.values())
            .filter(MallocLibrary::isThere)
            .map(MallocLibrary::title);
    return Stream.concat(Stream.of(OURS, CONFINED), here).toList();
  }

  @Override
  public List<String> leftOut() {
    return Arrays.stream(MallocLibrary.values())
        .filter(library -> !library.isThere())
        .map(MallocLibrary::absence)
        .toList();
  }

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    bars.add(new Place("arena_64", "cpu_ns_per_op").ratio(0.30, OURS, OF_CONFINED));
    bars.add(new Place("arena_1x64", "cpu_ns_per_op").ratio(0.5, OURS, OF_CONFINED));
    bars.add(new Place("alloc_free_64", "cpu_ns_per_op").ratio(1.4, OURS, MALLOC));
    bars.add(new Place("alloc_free_64", "cpu_ns_per_op").ratio(1.0, CONFINED, MALLOC));
    bars.add(new Place("alloc_free_33792", "cpu_ns_per_op").ratio(1.0, OURS, MALLOC));
    for (String program : PROGRAMS) {
      Place time = new Place("trace_" + program, "cpu_ns_per_op");
      Place memory = new Place("trace_" + program + "_memory", "trimmed_by_live");
      bars.add(time.ratio(1.1, CONFINED, MALLOC, JEMALLOC, MIMALLOC));
      bars.add(memory.ratio(1.0, CONFINED, JEMALLOC));
    }
    bars.add(new Place("netty_live_4096", "cpu_ns_per_op").ratio(0.9, NETTY, ADAPTIVE));
    bars.add(new Place("netty_handed_over", "cpu_ns_per_op", 2).ratio(1.1, NETTY, ADAPTIVE));
    bars.add(new Place("netty_burst", "resident_bytes_10s").ratio(0.1, NETTY, ADAPTIVE, POOLED));
    return bars;
  }

  @Override
  public String version(String impl) {
    if (impl.startsWith("netty-")) {
      return Versions.of("io.netty", "netty-buffer");
    }
    MallocLibrary library = NativeMalloc.library(impl);
    return library != null ? library.version() : Suite.super.version(impl);
  }
}
