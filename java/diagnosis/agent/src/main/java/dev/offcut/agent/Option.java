package dev.offcut.agent;

import java.util.Locale;

/** A switch of the agent, or a value that it takes. */
public enum Option {
  /** The whole agent. */
  ENABLED,
  /** How much of native memory and handles is tracked: see {@link dev.offcut.agent.hooks.Level}. */
  LEVEL(false),
  /** Of how many openings one leaves its stack. */
  SAMPLE(false),
  /** The file where a recording goes at exit. */
  RECORD(false),
  /** Whether the program ends with a collection, so that what it lost is known. */
  GCATEXIT(false),
  /** Tracked: arenas of the JDK. */
  ARENAS,
  /** Tracked: direct buffers. */
  BUFFERS,
  /** Tracked: memory of sun.misc.Unsafe. */
  UNSAFE,
  /** Tracked: JNA's Memory. */
  JNAMEMORY,
  /** Tracked: what the program allocates by calling malloc and the like through a linker. */
  DOWNCALLS,
  /** Tracked: JNA's Native.malloc. */
  JNAMALLOC,
  /** Tracked: what is registered with cleaners. */
  CLEANERS,
  /** Tracked: objects with a finalizer. */
  FINALIZERS,
  /** Tracked: collections forced by direct memory. */
  FORCEDGC,
  /** Sampled: what native libraries take from malloc. In a program that runs only if it is on. */
  NATIVE,
  /** Whether stderr has only what is wrong. */
  QUIET(false),
  /**
   * The folder through which somebody beside the program asks it to wait for an account at exit.
   */
  ACCOUNT(false),
  /**
   * With a folder for accounts: how many seconds the program's end may wait for somebody who looks
   * at its objects.
   */
  HOLDERS(false),
  /** Of a program that runs: how much of malloc was in use before the agent came, in bytes. */
  MISSED(false),
  /** The folder for the tables, for somebody who deletes them; or off, for none. */
  TABLES(false),
  /** The folder of a fleet, into which copies of the tables go. */
  FLEET(false),
  /** With a fleet: what the program is. */
  FLEET_SERVICE(false),
  /** With a fleet: its version. */
  FLEET_VERSION(false),
  /** With a fleet: the name of the machine, in place of its own. */
  FLEET_HOST(false),
  /** With a fleet: how often a copy goes there, such as 10m. */
  FLEET_EVERY(false),
  /** Classes whose objects the program has to close, and the methods that do so. */
  WATCH(false),
  /** Packages of which each AutoCloseable is such a class. */
  WATCH_PACKAGE(false),
  /**
   * Rules about such classes of libraries: on for all that are built in, off for none, or a file
   * with more. Without this option the built-in ones that cost little.
   */
  RULES(false),
  /** Counted: objects of classes without a rule, if their class files show that they own memory. */
  SHAPES;

  private final boolean isSwitch;

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '.');

  Option() {
    this(true);
  }

  Option(boolean isSwitch) {
    this.isSwitch = isSwitch;
  }

  /** Whether its values are on and off. */
  boolean isSwitch() {
    return isSwitch;
  }

  /** Its name among the agent's options. */
  public String label() {
    return label;
  }

  /** Its name as a system property. */
  String property() {
    return "offcut.".concat(label);
  }

  /** Its name in the environment. */
  String variable() {
    return "OFFCUT_".concat(name());
  }
}
