package dev.offcut.bench.longmap;

import static dev.offcut.bench.longmap.LongmapCases.OURS;
import static dev.offcut.bench.longmap.LongmapCases.PEERS;

import com.carrotsearch.hppc.LongObjectHashMap;
import com.sun.jna.Native;
import dev.offcut.bench.Agent;
import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Jdk.Shenandoah;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Suite {@code longmap}: Offcut's map from long to object against the JDK's with boxed keys, the
 * concurrent primitive maps there are, and good ones for one thread in a monitor; as what they are
 * mostly for, a register of native addresses.
 *
 * <p>Every implementation runs in a JVM of its own, where the loop that is measured knows no other;
 * what it takes out of the map is compared with what was put in. Of the bars, those for two threads
 * are about wall time where they speak of throughput, and all others about the threads' CPU time.
 */
public final class LongmapSuite implements Suite {
  /**
   * Those of the empty loop, and two that say little by themselves: a map that does more in the
   * same time also allocates more in it. The bytes of one operation are judged.
   */
  private static final Set<String> ABOUT_THE_MEASUREMENT =
      Set.of("empty_loop_worst_us", "empty_loop_over_200us", "alloc_mb_per_s", "gc_count");

  private static final Set<String> MORE_IS_BETTER = Set.of("ops_per_ms", "given_back_percent");

  @Override
  public String name() {
    return "longmap";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return new LongmapCases(quick, Agent.retrofit(), Shenandoah.isThere()).all();
  }

  @Override
  public List<LeftOut> leftOut() {
    return leftOut(Agent.retrofit(), Shenandoah.isThere());
  }

  static List<LeftOut> leftOut(@Nullable Path agent, boolean shenandoah) {
    List<LeftOut> all = new ArrayList<>();
    if (!shenandoah) {
      all.add(new LeftOut("add_remove", "Shenandoah, which this JVM does not have"));
    }
    if (agent == null) {
      all.add(new LeftOut("jna_memory", Agent.absence("jna-offcut")));
    }
    return all;
  }

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    Place hot = new Place("put_remove_10k_lifo", "cpu_ns_per_op", "G1", 1);
    bars.add(hot.atMost(0.75, OURS, "artemis"));
    bars.add(hot.atMost(0.70, OURS, "jdk-chm"));
    Place together = new Place("put_remove_10k_lifo", "wall_ns_per_op", "G1", 2);
    bars.add(together.speedOfBest(1.5, OURS, PEERS));
    for (String form : List.of("10k_lifo", "10k_fifo", "1m_lifo", "1m_fifo")) {
      for (int threads = 1; threads <= 2; threads++) {
        Place made = new Place("put_remove_" + form, "alloc_bytes_per_op", "G1", threads);
        bars.add(made.exactly(0, OURS));
      }
    }
    Place unordered = new Place("put_remove_1m_fifo", "cpu_ns_per_op", "G1", 1);
    bars.add(unordered.atMost(1.35, OURS, "artemis"));
    bars.add(unordered.atMost(1.0, OURS, "agrona-sync"));
    bars.add(new Place("mixed_80_10_10", "cpu_ns_per_op", "G1", 1).atMostBest(1.15, OURS, PEERS));
    bars.add(new Place("mixed_80_10_10", "cpu_ns_per_op", "G1", 2).atMostBest(1.5, OURS, PEERS));
    bars.add(new Place("fifo_1k", "retained_bytes", "G1", 1).below(65_536, OURS));
    bars.add(new Place("burst_drain_1m", "given_back_percent", "G1", 1).above(99, OURS));
    bars.add(new Place("grow_1m", "more_over_200us", "G1", 1).atMost(3, OURS));
    bars.add(new Place("grow_1m", "entry_bytes", "G1", 1).atMost(45, OURS));
    Place jna = new Place("jna_memory", "alloc_bytes_per_op", "G1", 1);
    bars.add(jna.lessBy(79.5, "jna-offcut", "jna-stock"));
    return List.copyOf(bars);
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return switch (impl) {
      case "offcut", "jna-offcut" -> Versions.of("dev.offcut", "offcut-longmap");
      case "artemis" -> Versions.of("org.apache.artemis", "artemis-commons");
      case "bookkeeper" -> Versions.of("org.apache.bookkeeper", "bookkeeper-server");
      case "jctools" -> Versions.of("org.jctools", "jctools-core");
      case "fastutil-sync", "fastutil-striped" -> Versions.inNameOfJar(Long2ObjectMap.class);
      case "hppc-sync", "hppc-striped" -> Versions.inNameOfJar(LongObjectHashMap.class);
      case "agrona-sync" -> Versions.inNameOfJar(Long2ObjectHashMap.class);
      case "jna-stock" -> Native.VERSION;
      default -> jdk.version();
    };
  }

  @Override
  public Better better(String metric) {
    if (ABOUT_THE_MEASUREMENT.contains(metric)) {
      return Better.NEITHER;
    }
    return MORE_IS_BETTER.contains(metric) ? Better.HIGHER : Better.LOWER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.equals(OURS) || impl.equals("jna-offcut");
  }

  @Override
  public boolean isPeer(String impl) {
    return PEERS.contains(impl) || impl.equals("jna-stock");
  }
}
