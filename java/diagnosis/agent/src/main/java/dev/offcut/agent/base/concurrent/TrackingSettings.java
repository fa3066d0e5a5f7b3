package dev.offcut.agent.base.concurrent;

/**
 * The agent's settings, as the helpers see them. {@code JavaBase} writes the values into the class
 * file in the place of the texts before it defines the class. So nothing can change them later, and
 * the JVM compiles them in.
 */
final class TrackingSettings {
  /** Sampling interval: one stack in so many openings is recorded; 0 records none, 1 all. */
  static final int SAMPLE = Integer.parseInt("offcut setting sample");

  /** Whether the agent came after the program had begun. */
  static final boolean LATE = Boolean.parseBoolean("offcut setting late");

  /** Packages of libraries, each ending in a dot. */
  static final String[] LIBRARIES = "offcut setting libraries".split(" ", -1);

  /** The packages of Offcut's own libraries begin with it. */
  static final String OWN = "offcut setting own".trim();

  /** The kinds by name, in the order of their numbers. */
  static final String[] KINDS = "offcut setting kinds".split(" ", -1);

  private TrackingSettings() {}
}
