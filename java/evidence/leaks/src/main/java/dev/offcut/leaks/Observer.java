package dev.offcut.leaks;

import java.io.IOException;

/**
 * Who measures a program from outside, if there is one. Without the system property below, both
 * methods do nothing.
 */
final class Observer {
  /** The program waits for a line on its standard input at its begin and at its end. */
  private static final boolean WAITS = Boolean.getBoolean("leaks.wait");

  private Observer() {}

  /** The program has not leaked yet. */
  static void begin() throws IOException {
    await("begin");
  }

  /** The program has leaked what it leaks, and has not ended. */
  static void end() throws IOException {
    await("end");
  }

  private static void await(String where) throws IOException {
    if (WAITS) {
      System.out.println("@leaks " + where);
      System.out.flush();
      if (System.in.read() < 0) {
        throw new IOException("the observer has gone");
      }
    }
  }
}
