package dev.offcut.agent.base.concurrent;

/**
 * Threads that do what the program did not: they run finalizers and cleaning actions.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
final class CollectorThreads {
  /** Finalizers run in it. */
  private static final Class<?> FINALIZER = type("java.lang.ref.Finalizer$FinalizerThread");

  /** Mapped regions are unmapped in it. */
  private static final Class<?> REFERENCES = type("java.lang.ref.Reference$ReferenceHandler");

  /** Cleaning actions run in threads of this class, with one of these names. */
  private static final Class<?> INNOCUOUS = type("jdk.internal.misc.InnocuousThread");

  private static final String COMMON_CLEANER = "Common-Cleaner";
  private static final String CLEANER = "Cleaner-";

  /** The name of the thread that {@code System.runFinalization} makes. */
  private static final String SECOND = "Secondary finalizer";

  private CollectorThreads() {}

  private static Class<?> type(String ofThread) {
    try {
      return Class.forName(ofThread, false, null);
    } catch (ClassNotFoundException e) {
      return Void.class; // no thread's class
    }
  }

  /** Whether the current thread is one. */
  static boolean isOne() {
    Thread thread = Thread.currentThread();
    Class<?> type = thread.getClass();
    if (type == INNOCUOUS) {
      String name = thread.getName();
      return name.equals(COMMON_CLEANER) || name.startsWith(CLEANER);
    }
    return type == FINALIZER
        || type == REFERENCES
        || (type == Thread.class && thread.getName().equals(SECOND));
  }
}
