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

  private static void start(boolean attached, String given, Instrumentation instrumentation) {
    String version = System.getProperty("java.specification.version");
    if (version.startsWith("1.") || Integer.parseInt(version) < OLDEST) {
      System.err.println(
          "offcut: this is Java " + version + ", the agent needs 17; the program runs without it");
      return;
    }
    // Loaded here and not before: an older JVM cannot. By reflection it would cost the start more.
    try {
      if (attached) {
        Agent.agentmain(given, instrumentation);
      } else {
        Agent.premain(given, instrumentation);
      }
    } catch (LinkageError e) {
      System.err.println(
          "offcut: the agent did not start (" + e + "); the program runs without it");
    }
  }
}
