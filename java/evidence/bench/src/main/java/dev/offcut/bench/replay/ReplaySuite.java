package dev.offcut.bench.replay;

import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Jdk;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.replay.space.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Suite {@code replay}: Example2 of JDK-8198423 under every policy, without survivors and with
 * some. Beside it {@code jdk}, the same program really run in this JVM, whose class space is
 * larger: the JVM rounds the 10 MiB up, and {@code class_space_bytes} says to what.
 */
public final class ReplaySuite implements Suite {
  private static final String JDK = "jdk";
  private static final String CLASS_SPACE = "-XX:CompressedClassSpaceSize=10M";
  private static final String G1 = "G1";
  private static final List<Integer> SURVIVORS = List.of(0, 100, 32, 16, 8);
  private static final List<String> METRICS =
      List.of(
          "large_classes",
          "handed_out_percent",
          "used_percent",
          "alignment_bytes_max",
          "cpu_ns_per_op",
          "class_space_bytes");

  /** Unused alignment chunks, by the proposal of JDK-8198423. */
  private static final int ALIGNMENT_LIMIT_BYTES = 64 << 10;

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return SURVIVORS.stream().map(every -> of(every, quick)).toList();
  }

  private static Case of(int every, boolean quick) {
    List<ChildRun> runs = new ArrayList<>();
    double warmUp = quick ? 0.1 : 1;
    double seconds = quick ? 0.1 : 0.7;
    for (String policy : Policy.names()) {
      runs.add(
          ChildRun.of(policy, G1, ReplayExample2.class, policy, every, warmUp, seconds)
              .estimate(warmUp + seconds + 0.5));
    }
    runs.add(ChildRun.of(JDK, G1, JdkExample2.class, every).jvm(List.of(CLASS_SPACE)).estimate(2));
    String rest = every == 0 ? "all small loaders are dropped" : "one small loader in " + every;
    String summary = "3,000 small classes, then large ones: " + rest + (every == 0 ? "" : " stays");
    Case of = new Case(caseName(every), summary, METRICS, quick ? 1 : Case.ROUNDS, runs, List.of());
    return every == 0 ? of.headline(25, "large_classes", "buddy", JDK) : of;
  }

  private static String caseName(int every) {
    return every == 0 ? "example2" : "survivors_" + every;
  }

  @Override
  public List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    Place classes = new Place("example2", "large_classes", G1, 1);
    bars.add(classes.atLeast(784, "fixed"));
    bars.add(classes.atMost(800, "fixed"));
    bars.add(classes.atLeast(2820, "coalescing"));
    bars.add(classes.atLeast(2900, "buddy"));
    bars.add(new Place("survivors_16", "large_classes", G1, 1).atLeast(2600, "buddy"));
    bars.add(new Place("survivors_8", "large_classes", G1, 1).atLeast(2250, "buddy"));
    Place handedOut = new Place("example2", "handed_out_percent", G1, 1);
    bars.add(handedOut.atLeast(40.5, "fixed"));
    bars.add(handedOut.atMost(41.5, "fixed"));
    bars.add(handedOut.atLeast(99, "buddy"));
    for (int every : SURVIVORS) {
      Place alignment = new Place(caseName(every), "alignment_bytes_max", G1, 1);
      bars.add(alignment.atMost(ALIGNMENT_LIMIT_BYTES, "coalescing"));
    }
    return List.copyOf(bars);
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return impl.equals(JDK) ? jdk.version() : Versions.of("dev.offcut", "offcut-replay");
  }

  @Override
  public Better better(String metric) {
    if (Set.of("large_classes", "used_percent", "handed_out_percent").contains(metric)) {
      return Better.HIGHER;
    }
    return metric.equals("class_space_bytes") ? Better.NEITHER : Better.LOWER;
  }

  /** None of these is of Offcut's making. */
  @Override
  public boolean isOurs(String impl) {
    return impl.equals("buddy");
  }

  /** The JDK's class space has another size: its figures are there to be seen, not compared. */
  @Override
  public boolean isPeer(String impl) {
    return !impl.equals(JDK) && !isOurs(impl);
  }
}
