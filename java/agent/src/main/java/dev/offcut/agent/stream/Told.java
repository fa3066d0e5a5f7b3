package dev.offcut.agent.stream;

/**
 * What the agent was told, as the helpers in java.base know it: texts that are replaced by their
 * values when those are defined. So nobody can change them later, and the JVM compiles them in.
 */
final class Told {
  /** Whether classes are kept by name. */
  static final String CACHE = "dev/offcut/told/cache";

  /** Every how manieth answer is verified; 0: none. */
  static final String VERIFY = "dev/offcut/told/verify";

  /** Whether places and classes are recorded. */
  static final String RECORD = "dev/offcut/told/record";

  private Told() {}
}
