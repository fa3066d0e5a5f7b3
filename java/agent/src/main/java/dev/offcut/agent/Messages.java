package dev.offcut.agent;

/** What the agent says to people: single lines on stderr, kept for the command to find. */
public final class Messages {
  private Messages() {}

  /** Prints one line, and keeps it. */
  public static void say(String message) {
    print(message);
    Presence.keep(message);
  }

  /** Keeps a line: what is worth knowing, but no word on the program's stderr. */
  public static void note(String message) {
    Presence.keep(message);
  }

  /** Prints one line. */
  static void print(String message) {
    System.err.println("offcut: " + message);
  }

  /** Prints the line of the start, and keeps it. */
  static void sayStarted(String what) {
    System.err.println("offcut on JDK " + System.getProperty("java.version") + ": " + what);
    Presence.keep(what);
  }
}
