package dev.offcut.agent;

/** What the agent says to people: single lines on stderr. */
public final class Messages {
  private Messages() {}

  /** Prints one line. */
  public static void say(String message) {
    System.err.println("offcut: " + message);
  }

  /** Prints the line of the start. */
  static void sayStarted(String what) {
    System.err.println("offcut on JDK " + System.getProperty("java.version") + ": " + what);
  }
}
