package dev.offcut.bench;

import dev.offcut.bench.Rows.Row;
import dev.offcut.bench.Rows.Series;
import java.util.List;
import java.util.Set;

/** A suite of one case that needs no child JVM, and what its tests have in common. */
final class TestSuite implements Suite {
  static final List<String> METRICS = List.of("cpu_ns_per_op", "wall_ops_per_ms", "reclaimed");

  @Override
  public String name() {
    return "handle";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return List.of(caseOf("one", 3, run("ours", 0), run("peer", 0)));
  }

  @Override
  public List<Bar> bars() {
    return List.of(new Bar.Place("one", "cpu_ns_per_op", "G1", 1).atMost(0.5, "ours", "peer"));
  }

  @Override
  public String version(String impl, Jdk jdk) {
    return "1.0";
  }

  @Override
  public Better better(String metric) {
    return Set.of("wall_ops_per_ms").contains(metric) ? Better.HIGHER : Better.LOWER;
  }

  @Override
  public boolean isPeer(String impl) {
    return impl.equals("peer");
  }

  @Override
  public boolean isOurs(String impl) {
    return impl.equals("ours");
  }

  static Case caseOf(String name, int rounds, ChildRun... runs) {
    return new Case(name, "a case", METRICS, rounds, List.of(runs), List.of());
  }

  static ChildRun run(String impl, int firstRound) {
    return run(impl, firstRound, "G1");
  }

  static ChildRun run(String impl, int firstRound, String gc) {
    return ChildRun.of(impl, gc, TestChild.class, impl).from(firstRound);
  }

  static Row row(String impl, String metric, double value) {
    return new Row(new Series("one", impl, 1, "G1", Jdk.OWN, metric), "1.0", value, "ns", 0, 3);
  }
}
