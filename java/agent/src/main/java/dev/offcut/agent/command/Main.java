package dev.offcut.agent.command;

import dev.offcut.agent.Launcher;

/**
 * Where {@code java -jar} enters. It is compiled for Java 8, so that an older Java hears what to
 * do.
 */
public final class Main {
  private static final int FAILED = 1;

  private Main() {}

  /** Runs the command, and ends this JVM with its exit code. */
  public static void main(String[] args) {
    String version = System.getProperty("java.specification.version");
    if (Launcher.isTooOld(version)) {
      System.err.println(
          "offcut: " + Launcher.needs("this command", version) + "; run it with a newer one");
      System.exit(FAILED);
    }
    try {
      Class.forName("dev.offcut.agent.command.Command")
          .getMethod("main", String[].class)
          .invoke(null, (Object) args);
    } catch (ReflectiveOperationException | LinkageError e) {
      System.err.println("offcut: the command did not start (" + e + "); get the jar anew");
      System.exit(FAILED);
    }
  }
}
