package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.ChildRunner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each child in small: it ends well, and reports every metric of its case. */
class MemoryChildrenTest {
  private static final Map<String, List<String>> SMALL =
      Map.ofEntries(
          Map.entry("arena_64", List.of("offcut", "100", "64", "2", "0.01", "0.01")),
          Map.entry("arena_1x64", List.of("offcut-shared", "1", "64", "1", "0.01", "0.01")),
          Map.entry(
              "arena_1x1k", List.of("jdk-ofConfined-tuned", "1", "1024", "1", "0.01", "0.01")),
          Map.entry("arena_10x8k", List.of("jdk-ofShared", "10", "8192", "1", "0.01", "0.01")),
          Map.entry("chunk_4k", List.of("offcut-chunks", "4096", "9", "2", "0.01", "0.01")),
          Map.entry("chunk_64k", List.of("netty-adaptive", "65536", "9", "1", "0.01", "0.01")),
          Map.entry("alloc_free_16", List.of("netty-pooled", "16", "1", "0.01", "0.01")),
          Map.entry("alloc_free_64", List.of("libc-malloc-critical", "64", "1", "0.01", "0.01")),
          Map.entry("alloc_free_1024", List.of("offcut-confined", "1024", "2", "0.01", "0.01")),
          Map.entry("alloc_free_16384", List.of("jdk-ofConfined", "16384", "1", "0.01", "0.01")),
          Map.entry("alloc_free_33792", List.of("offcut", "33792", "2", "0.01", "0.01")),
          Map.entry("alloc_free_1048576", List.of("offcut-arena", "1048576", "1", "0.01", "0.01")),
          Map.entry("larson", List.of("offcut", "2", "0.01", "0.01")),
          Map.entry("xmalloc", List.of("netty-adaptive", "2", "0.01", "0.01")),
          Map.entry(
              "web_socket_sizes", List.of("libc-malloc", "web-socket", "9", "1", "0.01", "0.01")),
          Map.entry("burst_settle", List.of("offcut", "100", "8192", "0.01")),
          Map.entry("pinned", List.of("trim", "100", "2048", "16")),
          Map.entry("trace_cc1", List.of("offcut", "cc1", "0.01", "0.01")),
          Map.entry("trace_git", List.of("offcut-confined", "git", "0.01", "0.01")),
          Map.entry("trace_python", List.of("libc-malloc-critical", "python", "0.01", "0.01")),
          Map.entry("trace_sqlite", List.of("libc-malloc", "sqlite", "0.01", "0.01")),
          Map.entry("trace_cc1_memory", List.of("offcut-confined", "cc1", "1", "1")),
          Map.entry("trace_git_memory", List.of("offcut", "git", "20000000", "1")),
          Map.entry("trace_python_memory", List.of("libc-malloc-critical", "python", "1", "1")),
          Map.entry("trace_sqlite_memory", List.of("offcut", "sqlite", "1", "1")),
          Map.entry(
              "netty_live_128", List.of("offcut-netty", "web-socket", "9", "1", "0.01", "0.01")),
          Map.entry(
              "netty_live_4096", List.of("netty-pooled", "web-socket", "9", "2", "0.01", "0.01")),
          Map.entry("netty_same_thread", List.of("offcut-netty", "1024", "2", "0.01", "0.01")),
          Map.entry("netty_handed_over", List.of("offcut-netty-simple", "1", "0.01", "0.01")),
          Map.entry("netty_burst", List.of("offcut-netty", "100", "8192", "0.01")),
          Map.entry("metrics_scrape", List.of("offcut", "30", "20", "0.01", "0.01")));

  static Stream<Case> cases() {
    return new MemoryCases(false, Set.of()).all().stream();
  }

  private static Map<String, Double> figures(ChildRun of, String main, List<String> args)
      throws Exception {
    return ChildRunner.figures(ChildRun.of("small", "G1", main, args.toArray()).jvm(of.jvmArgs()));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void run_small_reportsAllMetrics(Case of) throws Exception {
    ChildRun first = of.runs().getFirst();
    List<String> args = SMALL.getOrDefault(of.name(), List.of());
    assertThat(figures(first, first.main(), args))
        .containsKeys(of.metrics().toArray(String[]::new));
  }

  @Test
  void run_hints_leavesTheSurvivorsAlone() throws Exception {
    ChildRun any = cases().findFirst().orElseThrow().runs().getFirst();
    assertThat(figures(any, PinnedArenas.class.getName(), List.of("hints", "640", "2048", "16")))
        .containsEntry("live_bytes", 40.0 * 2048)
        .containsEntry("resident_bytes", 40.0 * 2048);
  }

  @Test
  void run_blocksThatSurvive_keepTheirPages() throws Exception {
    ChildRun any = cases().findFirst().orElseThrow().runs().getFirst();
    assertThat(figures(any, Pinned.class.getName(), List.of("libc-malloc", "640", "2048", "16")))
        .containsEntry("live_bytes", 40.0 * 2048)
        .hasEntrySatisfying("resident_by_live", by -> assertThat(by).isBetween(1.0, 20.0));
  }
}
