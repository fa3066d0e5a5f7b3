package dev.offcut.bench;

import java.io.IOException;
import java.util.List;

/** Cases that are measured and judged together. */
public interface Suite {
  /** As on the command line and in the JSON. */
  String name();

  /** The cases in their order; in the quick form smaller, in one round. */
  List<Case> cases(boolean quick);

  /** What is to be reached, in the order of the report. */
  List<Bar> bars();

  /** Makes what the cases need and the build does not have. */
  default void prepare(List<Case> cases) throws IOException {}

  /** The version of what an implementation name stands for. */
  default String version(String impl) {
    return isOurs(impl) ? Versions.of("dev.offcut", "offcut-handle") : Versions.java();
  }

  /** Whether the implementation is ours. */
  default boolean isOurs(String impl) {
    return impl.startsWith("offcut");
  }

  /** Whether the implementation is one that ours is compared with. A baseline is not. */
  default boolean isPeer(String impl) {
    return !isOurs(impl);
  }

  /** What is better in a metric. */
  default Better better(String metric) {
    return Better.LOWER;
  }

  /** The direction of a metric. */
  enum Better {
    /** As a time or a size. */
    LOWER,
    /** As a throughput. */
    HIGHER,
    /** Says something about the measurement itself. */
    NEITHER
  }

  /** Sentences: what there should be and is not, here; nothing where all is there. */
  default List<String> leftOut() {
    return List.of();
  }

  /** Adds what the suite computes from all its cases. */
  default void total(Samples samples) {}

  /**
   * All cases in one table, which stands before those of the cases: its lines, the heads first.
   * Nothing where a suite has none.
   */
  default List<List<String>> overview(Samples samples) {
    return List.of();
  }
}
