package dev.offcut.agent.track;

/**
 * What the agent was told, as the helpers in java.base know it: texts that are replaced by their
 * values when those are defined.
 */
final class BakedSettings {
  /** Of how many openings one leaves its stack; 0: none does, 1: all do. */
  static final String SAMPLE = "dev/offcut/baked/sample";

  /** Whether the agent came after the program had begun. */
  static final String LATE = "dev/offcut/baked/late";

  private BakedSettings() {}
}
