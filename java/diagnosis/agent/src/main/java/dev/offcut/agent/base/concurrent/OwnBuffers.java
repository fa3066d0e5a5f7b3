package dev.offcut.agent.base.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Direct buffers of the agent's own and of Flight Recorder's, which are none of the program's: the
 * JDK keeps one for each thread that writes a file.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class OwnBuffers {
  private static final AddressTable OPEN = new AddressTable();

  private static final boolean RECORDER_DROPS = Runtime.version().feature() < 19;

  /** The thread that runs the agent. Plain: a thread compares what it finds with itself only. */
  private static @Nullable Thread agent;

  /** Whether any was opened. Volatile: the thread that frees one is often another. */
  private static volatile boolean areThere;

  private OwnBuffers() {}

  /** From here on what this thread opens is the agent's. */
  public static void begin() {
    agent = Thread.currentThread();
  }

  /** From here on it is the program's. */
  public static void end() {
    agent = null;
  }

  /** Whether one that was just opened is none of the program's. */
  static boolean opened(long address) {
    if (!isOwn(Thread.currentThread())) {
      return false;
    }
    areThere = true;
    OPEN.put(address, 1);
    return true;
  }

  /** Whether what a thread opens is none of the program's: buffers, and objects by rule. */
  static boolean isOwn(Thread thread) {
    return thread == agent || isAgents(thread.getName()) || isRecorders(thread.getName());
  }

  /** The agent's own threads, which run no code of the program. */
  private static boolean isAgents(String name) {
    return name.startsWith("offcut ")
        && (name.equals("offcut tracking")
            || name.equals("offcut account")
            || name.equals("offcut tables")
            || name.equals("offcut holders")
            || name.equals("offcut shapes"));
  }

  /**
   * Threads of Flight Recorder that write its files. Those for periodic events and for streams of
   * events are not among them: they run code of the program, too.
   */
  private static boolean isRecorders(String name) {
    return name.startsWith("JFR ")
        && (name.equals("JFR Recorder Thread")
            || name.equals("JFR Shutdown Hook")
            || name.equals("JFR Recording Scheduler"));
  }

  /**
   * Whether Flight Recorder opens an object, in a thread of the program, and drops it: until JDK 19
   * it does so with the stream of a folder, when it looks for its settings (JDK-8279647).
   */
  static boolean isDroppedByRecorder(String type) {
    if (!RECORDER_DROPS || !type.equals("sun.nio.fs.UnixDirectoryStream")) {
      return false;
    }
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (frame.getClassName().startsWith("jdk.jfr.internal.SecuritySupport")) {
        return true;
      }
    }
    return false;
  }

  /** Whether one that is about to be freed was none of the program's. */
  static boolean freeing(long address) {
    return areThere && OPEN.remove(address) != 0;
  }
}
