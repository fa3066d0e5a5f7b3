package dev.offcut.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.offcut.bench.Bar;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Suite.Better;
import dev.offcut.bench.malloc.MallocLibrary;
import dev.offcut.bench.memory.Allocator.NativeMalloc;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MemorySuiteTest {
  private final MemorySuite suite = new MemorySuite();

  private static List<Case> all(boolean quick) {
    return new MemoryCases(quick, EnumSet.allOf(MallocLibrary.class)).all();
  }

  private static Case named(String name, List<Case> of) {
    return of.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private static List<String> rows(Case of) {
    return of.runs().stream().map(run -> run.impl() + run.gc() + run.threads()).toList();
  }

  @Test
  void cases_names_areThoseOfTheDesign() {
    assertThat(all(false))
        .extracting(Case::name)
        .containsExactly(
            "arena_64",
            "arena_1x64",
            "arena_1x1k",
            "arena_10x8k",
            "chunk_4k",
            "chunk_64k",
            "alloc_free_16",
            "alloc_free_64",
            "alloc_free_1024",
            "alloc_free_16384",
            "alloc_free_33792",
            "alloc_free_1048576",
            "larson",
            "xmalloc",
            "web_socket_sizes",
            "burst_settle",
            "pinned",
            "trace_cc1",
            "trace_git",
            "trace_python",
            "trace_sqlite",
            "trace_cc1_memory",
            "trace_git_memory",
            "trace_python_memory",
            "trace_sqlite_memory",
            "netty_live_128",
            "netty_live_4096",
            "netty_same_thread",
            "netty_handed_over",
            "netty_burst",
            "metrics_scrape");
  }

  @Test
  void cases_quickForm_hasTheSameRowsButWhatSettles() {
    Set<String> settling = Set.of("burst_settle", "netty_burst");
    List<Case> full = all(false).stream().filter(of -> !settling.contains(of.name())).toList();
    List<Case> quick = all(true);
    assertThat(quick).extracting(Case::name).isEqualTo(full.stream().map(Case::name).toList());
    for (Case of : full) {
      assertThat(rows(named(of.name(), quick))).isEqualTo(rows(of));
      assertThat(named(of.name(), quick).metrics()).isEqualTo(of.metrics());
    }
  }

  @Test
  void cases_bothForms_haveARoundForWhatWaits() {
    for (boolean quick : new boolean[] {false, true}) {
      for (Case of : all(quick)) {
        assertThat(of.runs()).allMatch(run -> run.firstRound() < of.rounds());
      }
    }
  }

  @Test
  void cases_fullForm_letNothingWait() {
    assertThat(all(false)).flatMap(Case::runs).allMatch(run -> run.firstRound() == 0);
  }

  @Test
  void cases_timed_haveOneThread_thoseOfSmallBlocksAndBuffersTwo() {
    for (Case of : all(false)) {
      if (of.metrics().contains("cpu_ns_per_op")) {
        boolean two = of.name().matches("arena_.*|alloc_free_64|larson|netty_.*");
        boolean one = !of.name().equals("larson");
        assertThat(of.runs().stream().anyMatch(run -> run.threads() == 1)).isEqualTo(one);
        assertThat(of.runs().stream().anyMatch(run -> run.threads() == 2)).isEqualTo(two);
      }
    }
  }

  @Test
  void cases_withoutLibraries_lackTheirRowsAndSaySo() {
    assertThat(new MemoryCases(false, Set.of()).all())
        .flatMap(Case::runs)
        .extracting(ChildRun::impl)
        .contains("libc-malloc")
        .doesNotContain("mimalloc-critical", "jemalloc-critical", "tcmalloc-critical");
    assertThat(leftOutWithout(MallocLibrary.MIMALLOC))
        .hasSize(21)
        .allMatch(row -> row.what().contains("libmimalloc"));
    assertThat(leftOutWithout(MallocLibrary.JEMALLOC))
        .hasSize(21)
        .allMatch(row -> row.what().contains("libjemalloc"));
    assertThat(leftOutWithout(MallocLibrary.TCMALLOC))
        .hasSize(21)
        .allMatch(row -> row.what().contains("libtcmalloc"));
    assertThat(MemorySuite.leftOut(EnumSet.allOf(MallocLibrary.class))).isEmpty();
  }

  private static List<Suite.LeftOut> leftOutWithout(MallocLibrary library) {
    return MemorySuite.leftOut(EnumSet.complementOf(EnumSet.of(library)));
  }

  /** Plain downcalls of a peer beside critical ones of ours would say nothing of the allocator. */
  @Test
  void bars_ofNativeAllocators_areAgainstCriticalDowncalls() {
    assertThat(suite.bars())
        .flatMap(Bar::peers)
        .filteredOn(peer -> NativeMalloc.library(peer) != null)
        .isNotEmpty()
        .allMatch(peer -> peer.endsWith("-critical"));
  }

  @Test
  void bars_areThoseOfTheDesign() {
    assertThat(suite.bars()).hasSize(51);
  }

  /** A JDK that keeps memory for confined arenas is another peer: what it has is judged apart. */
  @Test
  void bars_ofArenas_areApartForAJdkThatPoolsThem() {
    Jdk older = new Jdk(Path.of("older"), "27.0.1+5");
    Jdk newer = new Jdk(Path.of("newer"), "28+5");
    assertThat(suite.bars(List.of(older, newer))).hasSize(51);
    assertThat(suite.bars(List.of())).hasSize(51 - 1);
  }

  @Test
  void isOursAndIsPeer_everyImplementation_isOne() {
    Set<String> impls = new TreeSet<>();
    all(false).forEach(of -> of.runs().forEach(run -> impls.add(run.impl())));
    assertThat(impls).hasSize(21).allMatch(impl -> suite.isOurs(impl) != suite.isPeer(impl));
    assertThat(impls).filteredOn(suite::isOurs).hasSize(8);
  }

  @Test
  void better_liveBytes_isNeither() {
    assertThat(suite.better("live_bytes")).isEqualTo(Better.NEITHER);
    assertThat(suite.better("resident_bytes")).isEqualTo(Better.LOWER);
  }
}
