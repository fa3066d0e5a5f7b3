package dev.offcut.bench;

import java.util.List;

/**
 * Runs that are compared with each other.
 *
 * @param name as in the rows
 * @param summary one line for {@code --list}
 * @param metrics what becomes rows, in this order; children may report more
 * @param rounds how often each run is repeated
 * @param runs in the order of the rows
 * @param atATime how many of its children may run at the same time
 */
public record Case(
    String name,
    String summary,
    List<String> metrics,
    int rounds,
    List<ChildRun> runs,
    int atATime) {
  /** What a {@link Loop} reports. */
  public static final List<String> PER_OPERATION =
      List.of("cpu_ns_per_op", "wall_ns_per_op", "alloc_bytes_per_op");

  /** Of times. Then the interval of a bar leaves out the least and the greatest round. */
  private static final int ROUNDS = 9;

  /** Of times: as many rounds as a bar needs. */
  public static Case of(
      String name, String summary, List<String> metrics, boolean quick, List<ChildRun> runs) {
    return new Case(name, summary, metrics, quick ? 1 : ROUNDS, runs, 1);
  }

  /** Of counts and sizes, which hardly differ from round to round. */
  public Case rounds(int number) {
    return new Case(name, summary, metrics, Math.min(rounds, number), runs, atATime);
  }

  /**
   * The same with children of which so many may run at the same time: they mostly wait, or what
   * they report does not depend on time.
   */
  public Case together(int children) {
    return new Case(name, summary, metrics, rounds, runs, children);
  }
}
