package dev.offcut.bench.memory;

import static dev.offcut.bench.memory.MemoryCases.ADAPTIVE;
import static dev.offcut.bench.memory.MemoryCases.ADAPTIVE_SIMPLE;
import static dev.offcut.bench.memory.MemoryCases.CONFINED;
import static dev.offcut.bench.memory.MemoryCases.CRITICAL_MALLOC;
import static dev.offcut.bench.memory.MemoryCases.GAUGES;
import static dev.offcut.bench.memory.MemoryCases.HINTS;
import static dev.offcut.bench.memory.MemoryCases.JEMALLOC;
import static dev.offcut.bench.memory.MemoryCases.LEAST;
import static dev.offcut.bench.memory.MemoryCases.MIMALLOC;
import static dev.offcut.bench.memory.MemoryCases.NETTY;
import static dev.offcut.bench.memory.MemoryCases.NETTY_SIMPLE;
import static dev.offcut.bench.memory.MemoryCases.OF_CONFINED;
import static dev.offcut.bench.memory.MemoryCases.OURS;
import static dev.offcut.bench.memory.MemoryCases.POOLED;
import static dev.offcut.bench.memory.MemoryCases.POOLED_SIMPLE;
import static dev.offcut.bench.memory.MemoryCases.POOLS_CONFINED;

import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.bench.malloc.MallocLibrary;
import dev.offcut.bench.memory.Allocator.NativeMalloc;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Suite {@code memory}: Offcut's pool, its arenas and its heap against the JDK's arenas, Netty's
 * two allocators, and native ones called from Java.
 *
 * <p>Every implementation runs in a JVM of its own. All blocks are written, kept in an array, and
 * found unchanged. {@code jdk-ofConfined-tuned} is a confined arena of a JDK 28 or newer that keeps
 * 128 KiB for the next one; older ones do not know the setting. A row {@code offcut} is a confined
 * arena in the cases of arenas, a pool's chunks in those of chunks, and the heap for any thread
 * elsewhere; {@code offcut-confined} is a heap for one thread, {@code offcut-arena} an arena whose
 * blocks are freed one by one. {@code -critical} stands behind the name of a native allocator that
 * is called by critical downcalls. In the cases {@code netty_…} all are behind Netty's interface:
 * {@code offcut-netty} is the allocator of {@code dev.offcut.netty}; the rows that end with {@code
 * -simple} are with Netty's leak detector, the others without it. In the case {@code metrics_scrape} {@code offcut} is a page of metrics with
 * series of the 20 largest owners, {@code offcut-each-owner} one with series of each, and {@code
 * micrometer-gauges} one with as many series that are constant. The bars are about the threads' CPU
 * time, and about memory.
 */
public final class MemorySuite implements Suite {
  private static final double MIB = 1 << 20;

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return new MemoryCases(quick, libraries()).all();
  }

  private static Set<MallocLibrary> libraries() {
    return Arrays.stream(MallocLibrary.values())
        .filter(MallocLibrary::isThere)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(MallocLibrary.class)));
  }

  @Override
  public List<LeftOut> leftOut() {
    return leftOut(libraries());
  }

  static List<LeftOut> leftOut(Set<MallocLibrary> libraries) {
    return new MemoryCases(false, EnumSet.allOf(MallocLibrary.class))
        .all().stream()
            .flatMap(
                of ->
                    Arrays.stream(MallocLibrary.values())
                        .filter(library -> !libraries.contains(library) && hasRow(of, library))
                        .map(library -> new LeftOut(of.name(), library.absence())))
            .toList();
  }

  private static boolean hasRow(Case of, MallocLibrary library) {
    return of.runs().stream().anyMatch(run -> library == NativeMalloc.library(run.impl()));
  }

  @Override
  public List<Bar> bars() {
    return Stream.concat(
            ownBars().stream(),
            MemoryCases.PROGRAMS.keySet().stream().flatMap(MemorySuite::traceBars))
        .toList();
  }

  private static Stream<Bar> traceBars(String program) {
    Place time = cpu("trace_" + program, 1);
    Place memory = new Place("trace_" + program + "_memory", "trimmed_by_live", "G1", 1);
    return Stream.of(
        time.atMostBest(1.1, OURS, List.of(CRITICAL_MALLOC, JEMALLOC, MIMALLOC)),
        time.atMostBest(1.1, CONFINED, List.of(CRITICAL_MALLOC, JEMALLOC, MIMALLOC)),
        memory.atMost(1.0, OURS, JEMALLOC),
        memory.atMost(1.0, CONFINED, JEMALLOC));
  }

  private static List<Bar> ownBars() {
    return List.of(
        cpu("arena_64", 1).atMost(0.4, OURS, OF_CONFINED).from(LEAST).before(POOLS_CONFINED),
        cpu("arena_10x8k", 1).atMost(0.85, OURS, OF_CONFINED).from(LEAST).before(POOLS_CONFINED),
        cpu("arena_64", 1).atMost(0.5, OURS, OF_CONFINED).from(POOLS_CONFINED),
        cpu("alloc_free_64", 1).atMost(0.45, OURS, ADAPTIVE),
        cpu("alloc_free_64", 1).atMost(0.35, CONFINED, ADAPTIVE),
        cpu("alloc_free_64", 1).atMost(1.5, OURS, CRITICAL_MALLOC),
        cpu("alloc_free_64", 1).atMost(1.2, CONFINED, CRITICAL_MALLOC),
        cpu("alloc_free_33792", 1).atMost(1.0, OURS, CRITICAL_MALLOC),
        cpu("alloc_free_1048576", 1).atMost(1.2, OURS, CRITICAL_MALLOC),
        cpu("chunk_4k", 1).atMost(0.5, OURS, POOLED),
        cpu("chunk_64k", 1).atMost(0.5, OURS, POOLED),
        cpu("larson", 2).atMost(0.6, OURS, ADAPTIVE),
        cpu("netty_live_128", 1).atMost(0.9, NETTY, ADAPTIVE),
        cpu("netty_live_128", 1).atMost(0.9, NETTY, POOLED),
        cpu("netty_live_128", 1).atMost(0.9, NETTY_SIMPLE, ADAPTIVE_SIMPLE),
        cpu("netty_live_128", 1).atMost(0.9, NETTY_SIMPLE, POOLED_SIMPLE),
        cpu("netty_live_4096", 1).atMost(0.9, NETTY, ADAPTIVE),
        cpu("netty_live_4096", 1).atMost(0.9, NETTY, POOLED),
        cpu("netty_live_4096", 1).atMost(0.9, NETTY_SIMPLE, ADAPTIVE_SIMPLE),
        cpu("netty_live_4096", 1).atMost(0.9, NETTY_SIMPLE, POOLED_SIMPLE),
        cpu("netty_same_thread", 1).atMost(0.9, NETTY, ADAPTIVE),
        cpu("netty_same_thread", 1).atMost(0.9, NETTY, POOLED),
        cpu("netty_same_thread", 1).atMost(0.9, NETTY_SIMPLE, ADAPTIVE_SIMPLE),
        cpu("netty_same_thread", 1).atMost(0.9, NETTY_SIMPLE, POOLED_SIMPLE),
        cpu("netty_handed_over", 1).atMost(0.9, NETTY, ADAPTIVE),
        cpu("netty_handed_over", 1).atMost(0.9, NETTY, POOLED),
        cpu("netty_handed_over", 1).atMost(0.9, NETTY_SIMPLE, ADAPTIVE_SIMPLE),
        cpu("netty_handed_over", 1).atMost(0.9, NETTY_SIMPLE, POOLED_SIMPLE),
        new Place("netty_burst", "resident_bytes_10s", "G1", 1).atMost(0.1, NETTY, ADAPTIVE),
        new Place("netty_burst", "resident_bytes_10s", "G1", 1).atMost(0.1, NETTY, POOLED),
        new Place("metrics_scrape", "cpu_us_per_op", "G1", 1).atMost(5_000, OURS),
        new Place("burst_settle", "resident_bytes_15s", "G1", 1).atMost(5 * MIB, OURS),
        new Place("pinned", "resident_by_live", "G1", 1).atMost(2.1, OURS),
        new Place("pinned", "resident_by_live", "G1", 1).atMost(1.1, HINTS),
        new Place("pinned", "metadata_percent", "G1", 1).atMost(0.1, OURS));
  }

  private static Place cpu(String caseName, int threads) {
    return new Place(caseName, "cpu_ns_per_op", "G1", threads);
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return switch (impl) {
      case ADAPTIVE, POOLED, ADAPTIVE_SIMPLE, POOLED_SIMPLE ->
          Versions.of("io.netty", "netty-buffer");
      case GAUGES -> Versions.of("io.micrometer", "micrometer-registry-prometheus");
      default -> {
        MallocLibrary library = NativeMalloc.library(impl);
        yield library != null
            ? library.version()
            : isOurs(impl) ? Versions.of("dev.offcut", "offcut-memory") : jdk.version();
      }
    };
  }

  @Override
  public Better better(String metric) {
    return metric.equals("live_bytes") ? Better.NEITHER : Better.LOWER;
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
