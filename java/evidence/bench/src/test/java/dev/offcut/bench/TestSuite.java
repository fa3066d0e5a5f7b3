package dev.offcut.bench;

import dev.offcut.bench.Samples.Row;
import dev.offcut.bench.Samples.Series;
import java.util.List;

/** A suite of one case that needs no child JVM, and what its tests have in common. */
final class TestSuite implements Suite {
  static final String CPU = "cpu_ns_per_op";

  @Override
  public String name() {
    return "handle";
  }

  @Override
  public List<Case> cases(boolean quick) {
    return List.of(caseOf("one", 3, "offcut", "peer"));
  }

  @Override
  public List<Bar> bars() {
    return List.of(new Bar.Place("one", CPU).ratio(0.5, "offcut", "peer"));
  }

  @Override
  public String version(String impl) {
    return "1.0";
  }

  @Override
  public Better better(String metric) {
    return metric.equals("ops_per_ms") ? Better.HIGHER : Better.LOWER;
  }

  @Override
  public boolean isPeer(String impl) {
    return impl.equals("peer");
  }

  static Case caseOf(String name, int rounds, String... impls) {
    List<ChildRun> runs =
        List.of(impls).stream().map(impl -> ChildRun.program(impl, "Main")).toList();
    return new Case(name, "a case", List.of(CPU), rounds, runs, 1);
  }

  static Series series(String impl, String metric) {
    return new Series("one", impl, 1, metric);
  }

  static Row row(String impl, String metric, double value) {
    return new Row(series(impl, metric), "1.0", value, "ns", 0, 3);
  }
}
