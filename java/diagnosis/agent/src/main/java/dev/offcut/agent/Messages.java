package dev.offcut.agent;

/** What the agent says to people: single lines on stderr, kept for the command to find. */
public final class Messages {
  private static volatile boolean quiet;

  private Messages() {}

  /** From now on stderr has only what is wrong. */
  public static void beQuiet() {
    quiet = true;
  }

  /** Prints one line unless the agent is quiet, and keeps it: nothing is wrong. */
  public static void tell(String message) {
    if (!quiet) {
      print(message);
    }
    Presence.keep(message);
  }

  /** Prints one line, and keeps it: something is wrong. */
  public static void say(String message) {
    print(message);
    Presence.keep(message);
  }

  /** Keeps a line: what is worth knowing, but no word on the program's stderr. */
  public static void note(String message) {
    Presence.keep(message);
  }

  /** Prints one line. */
  public static void print(String message) {
    System.err.println("offcut: " + message);
  }

  /** Prints the line of the start unless the agent is quiet, and keeps it. */
  public static void sayStarted(String what) {
    if (!quiet) {
      System.err.println("offcut on JDK " + System.getProperty("java.version") + ": " + what);
    }
    Presence.keep(what);
  }
}
