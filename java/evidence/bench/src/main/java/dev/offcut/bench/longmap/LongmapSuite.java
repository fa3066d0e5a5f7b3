package dev.offcut.bench.longmap;

import com.sun.jna.Native;
import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Suite {@code longmap}: Offcut's map from long to object against the JDK's with boxed keys and the
 * concurrent primitive maps there are; as what they are mostly for, a register of native addresses.
 */
public final class LongmapSuite implements Suite {
  private static final String OURS = "offcut";

  /** In the order of the rows. */
  private static final List<String> PEERS = List.of("jdk-chm", "artemis", "jctools");

  private static final int MILLION = 1_000_000;

  /** The five figures of JNA's pull request 1703. */
  private static final List<String> FIVE =
      List.of("ops_per_ms", "alloc_mb_per_s", "alloc_bytes_per_op", "gc_count", "gc_time_ms");

  @Override
  public String name() {
    return "longmap";
  }

  @Override
  public List<Case> cases(boolean quick) {
    String large = String.valueOf(quick ? MILLION / 10 : MILLION);
    List<ChildRun> mixed = new ArrayList<>(loops(1, Mixed.class, Map.of(), everyone()));
    mixed.addAll(loops(2, Mixed.class, Map.of(), everyone()));
    return List.of(
        Case.of(
            "put_remove_10k_lifo",
            "10,000 live: put one of 64 addresses, remove it at once",
            Case.PER_OPERATION,
            quick,
            loops(1, PutRemove.class, Map.of("order", "lifo", "live", "10000"), everyone())),
        Case.of(
            "put_remove_1m_fifo",
            "1,000,000 live (quick: 100,000): put a fresh address, remove the one put 1,024 before",
            Case.PER_OPERATION,
            quick,
            loops(1, PutRemove.class, Map.of("order", "fifo", "live", large), everyone()).stream()
                .map(run -> run.jvm(List.of("-Xmx2g", "-Xmn1g")))
                .toList()),
        Case.of(
            "mixed_80_10_10",
            "10,000 addresses live: 80 % get, 10 % put, 10 % remove",
            Case.PER_OPERATION,
            quick,
            mixed),
        Case.of(
            "add_remove",
            "JNA's pull request 1703: put and remove of a value allocated for it (24 B)",
            FIVE,
            quick,
            loops(1, AddRemove.class, Map.of(), List.of(OURS, "jdk-chm", "artemis"))),
        Case.of(
                "burst_drain_1m",
                "1,000,000 puts, removes of all: what the map holds full, and three seconds later",
                List.of("entry_bytes", "given_back_percent"),
                quick,
                everyone().stream()
                    .map(impl -> ChildRun.program(impl, BurstDrain.class, impl, large, 3))
                    .toList())
            .rounds(1)
            .together(2),
        jnaMemory(quick));
  }

  private static Case jnaMemory(boolean quick) {
    List<ChildRun> runs =
        new ArrayList<>(loops(1, JnaMemory.class, Map.of(), List.of("jna-stock")));
    Path agent = Agent.retrofit();
    if (agent != null) {
      runs.add(runs.getFirst().jvm(List.of("-javaagent:" + agent)).named("jna-offcut"));
    }
    String summary = "new Memory(64) and its close, with JNA as it is and with Offcut's map in it";
    return Case.of("jna_memory", summary, FIVE, quick, runs);
  }

  private static List<String> everyone() {
    return Stream.concat(Stream.of(OURS), PEERS.stream()).toList();
  }

  /** In memory that the system has given already: to get it may cost more than the map. */
  private static List<ChildRun> loops(
      int threads, Class<?> benchmark, Map<String, String> params, List<String> impls) {
    List<String> jvm =
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx256m",
            "-XX:+AlwaysPreTouch");
    return impls.stream()
        .map(impl -> ChildRun.loop(impl, threads, benchmark, params).jvm(jvm))
        .toList();
  }

  @Override
  public List<String> leftOut() {
    return Agent.retrofit() != null
        ? List.of()
        : List.of("jna_memory: " + Agent.absence("jna-offcut"));
  }

  @Override
  public List<Bar> bars() {
    Place hot = new Place("put_remove_10k_lifo", "cpu_ns_per_op");
    String[] peers = PEERS.toArray(String[]::new);
    return List.of(
        hot.ratio(0.73, OURS, "artemis"),
        hot.ratio(0.40, OURS, "jdk-chm"),
        new Place("put_remove_10k_lifo", "alloc_bytes_per_op").atMost(0, OURS),
        new Place("put_remove_1m_fifo", "cpu_ns_per_op").ratio(1.0, OURS, peers),
        new Place("mixed_80_10_10", "cpu_ns_per_op", 2).ratio(1.0, OURS, peers),
        new Place("burst_drain_1m", "entry_bytes").atMost(45, OURS),
        new Place("burst_drain_1m", "given_back_percent").atLeast(99, OURS),
        new Place("jna_memory", "alloc_bytes_per_op").over(-79.5, "jna-offcut", "jna-stock"));
  }

  @Override
  public String version(String impl) {
    return switch (impl) {
      case OURS, "jna-offcut" -> Versions.of("dev.offcut", "offcut-longmap");
      case "artemis" -> Versions.of("org.apache.artemis", "artemis-commons");
      case "jctools" -> Versions.of("org.jctools", "jctools-core");
      case "jna-stock" -> Native.VERSION;
      default -> Versions.java();
    };
  }

  /** A map that does more in the same time also allocates more in it: bytes an operation count. */
  @Override
  public Better better(String metric) {
    return switch (metric) {
      case "ops_per_ms", "given_back_percent" -> Better.HIGHER;
      case "alloc_mb_per_s", "gc_count" -> Better.NEITHER;
      default -> Better.LOWER;
    };
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.equals(OURS) || impl.equals("jna-offcut");
  }
}
