package dev.offcut.bench.replay;

import dev.offcut.bench.Bar;
import dev.offcut.bench.Bar.Place;
import dev.offcut.bench.Case;
import dev.offcut.bench.ChildRun;
import dev.offcut.bench.Suite;
import dev.offcut.bench.Versions;
import dev.offcut.replay.space.Policy;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Suite {@code replay}: Example2 of JDK-8198423 under every policy, without survivors and with
 * some. It counts and does not vary: one round.
 */
public final class ReplaySuite implements Suite {
  private static final List<String> METRICS =
      List.of("large_classes", "handed_out_percent", "used_percent");

  @Override
  public String name() {
    return "replay";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return IntStream.of(0, 100, 32, 16, 8).mapToObj(every -> of(every, quick)).toList();
  }

  private static Case of(int every, boolean quick) {
    List<ChildRun> runs =
        Policy.names().stream()
            .map(policy -> ChildRun.program(policy, 1, ReplayExample2.class, policy, every))
            .toList();
    String name = every == 0 ? "example2" : "survivors_" + every;
    String rest = every == 0 ? "all small loaders are dropped" : "one in " + every + " stays";
    String summary = "3,000 loaders of small classes, then large classes: " + rest;
    return Case.of(name, summary, METRICS, quick, runs).rounds(1).together(2);
  }

  @Override
  public List<Bar> bars() {
    Place classes = new Place("example2", "large_classes");
    return List.of(
        classes.atMost(800, "fixed"),
        classes.atLeast(2820, "coalescing"),
        classes.atLeast(2900, "buddy"),
        new Place("survivors_8", "large_classes").atLeast(2250, "buddy"));
  }

  @Override
  public String version(String impl) {
    return Versions.of("dev.offcut", "offcut-replay");
  }

  @Override
  public Better better(String metric) {
    return Better.HIGHER;
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.equals("buddy");
  }
}
