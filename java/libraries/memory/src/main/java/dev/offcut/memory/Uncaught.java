package dev.offcut.memory;

/** What others throw where the pool has to go on. */
final class Uncaught {
  private Uncaught() {}

  /** Tells whom the program has named for what nobody catches; stderr, if nobody. */
  static void report(Throwable thrown) {
    try {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
    } catch (Throwable e) {
      // Nobody can be told, and whoever reports has to come to its end.
    }
  }

  /** The same, with what happened to whom. */
  static void report(String what, Throwable thrown) {
    report(new IllegalStateException(what, thrown));
  }
}
