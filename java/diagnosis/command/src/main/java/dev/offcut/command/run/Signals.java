package dev.offcut.command.run;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes signals on to a child, and stays: its report is to be written when it has ended. A
 * terminal sends Ctrl-C to both of us, so that one is not passed on.
 */
final class Signals {
  private Signals() {}

  /** {@code terminal}: whether one sends signals to the child, too. */
  static void passTo(Child child, boolean terminal) {
    pass("TERM", child, false);
    pass("HUP", child, terminal);
    pass("INT", child, terminal);
  }

  private static void pass(String name, Child child, boolean hasIt) {
    AtomicInteger taken = new AtomicInteger();
    try {
      SystemSignals.take(
          name,
          number -> {
            if (isOurs(hasIt, child, taken)) {
              child.signal(name, number);
            }
          });
    } catch (IllegalArgumentException | LinkageError e) {
      // Not on this system, or the JVM was told to leave signals alone.
    }
  }

  /**
   * Of what the terminal sends to both, the first is the child's, which may have ended of it by
   * now; another one when it has is ours.
   */
  private static boolean isOurs(boolean hasIt, Child child, AtomicInteger taken) {
    return !hasIt || (taken.getAndIncrement() > 0 && !child.isAlive());
  }
}
