package dev.offcut.agent;

import java.lang.instrument.Instrumentation;

/**
 * What the JVM enters first. It is compiled for Java 8, so that an older JVM hears why nothing
 * happens, and the program runs.
 *
 * <p>The command that puts the agent into JVMs that run is not in this jar but in the archive.
 */
public final class Launcher {
  private static final int OLDEST = 17;

  /** The exit code for what is not understood. */
  private static final int USAGE = 2;

  private Launcher() {}

  /** Before the program. */
  public static void premain(String given, Instrumentation instrumentation) {
    start(false, given, instrumentation);
  }

  /** Attached. */
  public static void agentmain(String given, Instrumentation instrumentation) {
    start(true, given, instrumentation);
  }

  /** By {@code java -jar}: says where the command is. The manifest says which of the two jars. */
  public static void main(String[] args) {
    Package own = Launcher.class.getPackage();
    String jar = own.getImplementationTitle();
    System.err.println(
        jar
            + " "
            + own.getImplementationVersion()
            + " is an agent, and does nothing as a program by itself.");
    System.err.println("  start with it:  java -javaagent:" + jar + ".jar[=OPTIONS] -jar app.jar");
    System.err.println(
        "  the command:    offcut ps, offcut attach PID, offcut report PID"
            + " (bin/offcut of Offcut's archive)");
    System.exit(USAGE);
  }

  /** Whether the agent is not for a Java of this version, as {@code 1.8} or {@code 11}. */
  static boolean isTooOld(String version) {
    return version.startsWith("1.") || Integer.parseInt(version) < OLDEST;
  }

  /** The beginning of a sentence for a Java that is too old. */
  static String needs(String version) {
    return "this is Java " + version + ", the agent needs " + OLDEST;
  }

  private static void start(boolean attached, String given, Instrumentation instrumentation) {
    String version = System.getProperty("java.specification.version");
    if (isTooOld(version)) {
      System.err.println("offcut: " + needs(version) + "; the program runs without it");
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
