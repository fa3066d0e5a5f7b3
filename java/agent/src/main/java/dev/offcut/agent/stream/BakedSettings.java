package dev.offcut.agent.stream;

/**
 * What the agent was told, as the helpers in java.base know it: texts that are replaced by their
 * values when those are defined. So nobody can change them later, and the JVM compiles them in.
 */
final class BakedSettings {
  /** Whether classes are kept by name. */
  static final String CACHE = "dev/offcut/told/cache";

  /** Every how manieth answer is verified; 0: none. */
  static final String VERIFY = "dev/offcut/told/verify";

  /** Whether places and classes are recorded. */
  static final String RECORD = "dev/offcut/told/record";

  /** Whether elements of collections are parts of the collection. */
  static final String COLLECTIONS = "dev/offcut/told/collections";

  /** The class file of {@link Elements}, a character a byte. */
  static final String ELEMENTS = "dev/offcut/told/file";

  /** What it is called. */
  static final String ELEMENTS_NAME = "dev/offcut/told/name";

  private BakedSettings() {}
}
