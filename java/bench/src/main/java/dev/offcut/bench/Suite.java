package dev.offcut.bench;

import java.io.IOException;
import java.util.List;

/** Cases that are measured and judged together. */
public interface Suite extends Sides {
  /** As on the command line and in the JSON. */
  @Override
  String name();

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

  /** What there should be and is not, here; nothing where all is there. */
  default List<LeftOut> leftOut() {
    return List.of();
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
