package dev.offcut.agent.stream;

/**
 * What the agent was told, as the helpers in java.base know it: texts that are replaced by their
 * values when those are defined. So nobody can change them later, and the JVM compiles them in.
 */
final class BakedSettings {
  /** Whether classes are kept by name. */
  static final String CACHE = "dev/offcut/baked/cache";

  /** Every how manieth answer is verified; 0: none. */
  static final String VERIFY = "dev/offcut/baked/verify";

  /** Whether places and classes are recorded. */
  static final String RECORD = "dev/offcut/baked/record";

  /** Whether elements of collections are parts of the collection. */
  static final String COLLECTIONS = "dev/offcut/baked/collections";

  /** The class file of {@link ElementStream}, a character a byte. */
  static final String ELEMENTS = "dev/offcut/baked/file";

  /** What it is called. */
  static final String ELEMENTS_NAME = "dev/offcut/baked/name";

  private BakedSettings() {}
}
