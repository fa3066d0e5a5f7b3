package dev.offcut.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The time of one invocation: what is still to come, and whether there is time for it. Learns how
 * long runs take here, which their estimates cannot know.
 */
final class Budget {
  /** Seconds a child may take before it counts as hung. */
  static final long HUNG_SECONDS = 600;

  private static final double GRACE_SECONDS = 5;

  private final LongSupplier clock;
  private final long begun;
  private final double seconds;
  private final Map<ChildRun, Double> taken = new HashMap<>();
  private double estimated;
  private double needed;

  /** {@code seconds} is infinite where there is no limit. */
  Budget(double seconds, LongSupplier clock) {
    this.seconds = seconds;
    this.clock = clock;
    this.begun = clock.getAsLong();
  }

  double elapsedSeconds() {
    return (clock.getAsLong() - begun) / 1e9;
  }

  /** What the run will probably take, by its last time, or by how wrong the estimates were. */
  double expectedSeconds(ChildRun run) {
    double scale = estimated == 0 ? 1 : needed / estimated;
    return taken.getOrDefault(run, run.estimate() * scale);
  }

  /** What is left to do, but not beyond the limit. */
  double secondsFor(List<ChildRun> runs) {
    double sum = runs.stream().mapToDouble(this::expectedSeconds).sum();
    return Math.max(0, Math.min(sum, seconds - elapsedSeconds()));
  }

  /** Until the limit; infinite if there is none. */
  double secondsLeft() {
    return Math.max(0, seconds - elapsedSeconds());
  }

  boolean allows(ChildRun run) {
    return allows(List.of(run));
  }

  /** Whether there is time for all of them. */
  boolean allows(List<ChildRun> runs) {
    double sum = runs.stream().mapToDouble(this::expectedSeconds).sum();
    return elapsedSeconds() + sum <= seconds;
  }

  /** When the next child is to be ended; a little beyond the limit, for one that began in time. */
  long limitSeconds() {
    return (long) Math.min(HUNG_SECONDS, seconds - elapsedSeconds() + GRACE_SECONDS);
  }

  /** What a child took that ran with others, {@code together} in all: each has its part of it. */
  void took(ChildRun run, double runSeconds, int together) {
    taken.put(run, runSeconds / together);
    estimated += run.estimate() / together;
    needed += runSeconds / together;
  }

  boolean ran(ChildRun run) {
    return taken.containsKey(run);
  }
}
