package dev.offcut.agent.publish;

/**
 * Milliseconds since 1970, by a clock that never steps: what the wall clock said when the agent
 * began, and what has passed since. So the difference of two times is what passed between them,
 * even if somebody sets the wall clock meanwhile. The two clocks then differ by that step.
 */
final class SteadyClock {
  private static final long NANOS_A_MILLI = 1_000_000;
  private static final long BEGAN_MILLIS = System.currentTimeMillis();
  private static final long BEGAN_NANOS = System.nanoTime();

  private SteadyClock() {}

  static long now() {
    return BEGAN_MILLIS + (System.nanoTime() - BEGAN_NANOS) / NANOS_A_MILLI;
  }
}
