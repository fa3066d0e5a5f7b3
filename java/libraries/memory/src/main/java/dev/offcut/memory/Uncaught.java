package dev.offcut.memory;

/** What others throw where the pool has to go on. */
final class Uncaught {
  private Uncaught() {}

  /** Tells whom the program has named for what nobody catches; stderr, if nobody. */
  static void report(Throwable thrown) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
  }
}
