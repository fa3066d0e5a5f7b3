package dev.offcut.agent.publish;

/**
 * Milliseconds since 1970, by a clock that never steps: what the wall clock said when the agent
 * began, and what has passed since. So the difference of two times is what passed between them,
 * even if somebody sets the wall clock meanwhile. The two clocks then differ by that step. Any
 * thread.
 */
class SteadyClock {
  private static final long NANOS_A_MILLI = 1_000_000;
  private static final SteadyClock OWN = new SteadyClock();

  private final long beganMillis = wallMillis();
  private final long beganNanos = nanoTime();

  /** Of this program. */
  static long now() {
    return OWN.millis();
  }

  final long millis() {
    return beganMillis + (nanoTime() - beganNanos) / NANOS_A_MILLI;
  }

  /** For tests, as the next one. */
  long wallMillis() {
    return System.currentTimeMillis();
  }

  long nanoTime() {
    return System.nanoTime();
  }
}
