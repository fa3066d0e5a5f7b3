package dev.offcut.agent;

import java.lang.instrument.Instrumentation;

/**
 * What the JVM enters first. It is compiled for Java 8, so that an older JVM hears why nothing
 * happens, and the program runs.
 */
public final class Launcher {
  private static final int OLDEST = 17;

  private Launcher() {}

  /** Before the program. */
  public static void premain(String given, Instrumentation instrumentation) {
    start(false, given, instrumentation);
  }

  /** Attached. */
  public static void agentmain(String given, Instrumentation instrumentation) {
    start(true, given, instrumentation);
  }

  /** Whether the agent is not for a Java of this version, as {@code 1.8} or {@code 11}. */
  public static boolean isTooOld(String version) {
    return version.startsWith("1.") || Integer.parseInt(version) < OLDEST;
  }

  /** The beginning of a sentence for a Java that is too old. */
  public static String needs(String what, String version) {
    return "this is Java " + version + ", " + what + " needs " + OLDEST;
  }

  private static void start(boolean attached, String given, Instrumentation instrumentation) {
    String version = System.getProperty("java.specification.version");
    if (isTooOld(version)) {
      System.err.println(
          "offcut: " + needs("the agent", version) + "; the program runs without it");
      return;
    }
    // Loaded here and not before: an older JVM cannot.
    try {
      AgentLoader.enter(attached ? "agentmain" : "premain", given, instrumentation);
    } catch (Exception | LinkageError e) {
      System.err.println(
          "offcut: the agent did not start (" + e + "); the program runs without it");
    }
  }
}
