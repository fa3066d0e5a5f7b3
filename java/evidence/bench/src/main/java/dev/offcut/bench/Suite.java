package dev.offcut.bench;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cases that are measured and judged together. */
public interface Suite {
  /** As on the command line and in the JSON. */
  String name();

  /** What is better in a metric. */
  Better better(String metric);

  /** Whether the implementation is one that ours is compared with. A baseline is not. */
  boolean isPeer(String impl);

  /** Whether the implementation is ours. */
  boolean isOurs(String impl);

  /** The direction of a metric. */
  enum Better {
    /** As a time or a size. */
    LOWER,
    /** As a throughput. */
    HIGHER,
    /** Says something about the measurement itself. */
    NEITHER
  }

  /** The cases in their order; in the quick form smaller, and with fewer rounds. */
  List<Case> cases(boolean quick);

  /**
   * Makes what the cases need and the build does not have, and returns what is to run once before
   * the first round.
   */
  default List<ChildRun> prepare(List<Case> cases) throws IOException {
    return List.of();
  }

  /** What is to be reached, in the order of the report. */
  List<Bar> bars();

  /** The same, each on the JDK that it is judged on, of ours and these; without the others. */
  default List<Bar> bars(List<Jdk> jdks) {
    return bars().stream().map(bar -> bar.on(jdks)).filter(Objects::nonNull).toList();
  }

  /** What there should be and is not, here; nothing where all is there. */
  default List<LeftOut> leftOut() {
    return List.of();
  }

  /**
   * All cases in one table, which stands before those of the cases: its lines, the heads first.
   * Nothing where a suite has none.
   */
  default List<List<String>> overview(Values values) {
    return List.of();
  }

  /** The values of the rows of one run. */
  interface Values {
    /** Null where it was not measured. */
    @Nullable Double of(String caseName, String impl, String metric);
  }

  /**
   * Rows that a case lacks.
   *
   * @param caseName of which case
   * @param what which rows, and why
   */
  record LeftOut(String caseName, String what) {}

  /** The version of what an implementation name stands for, on a JDK. */
  String version(String impl, Jdk jdk);
}
