package dev.offcut.agent.base.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * The exit code of the program, from when it is known until the JVM has ended.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class ExitCode {
  /** No exit code was given. */
  public static final int NONE = -1;

  /** This class's own, and that of the method that the launcher called. */
  private static final int FRAMES_IN_MAIN = 2;

  private static volatile int code = NONE;

  /** The agent's look at what is still in use; null: there is none, or it was made. */
  private static volatile @Nullable Runnable lastLook;

  private ExitCode() {}

  /** What is done before the main method returns, if the program then ends. */
  public static void beforeReturn(Runnable look) {
    lastLook = look;
  }

  /** A method of the name main is about to return. */
  public static void returning() {
    Runnable look = lastLook;
    if (look == null) {
      return;
    }
    try {
      if (new Throwable().getStackTrace().length == FRAMES_IN_MAIN && isLastThread()) {
        lastLook = null;
        ended();
        look.run();
      }
    } catch (Throwable e) {
      // The same is done when the JVM shuts down.
    }
  }

  /** Whether the JVM ends when this thread does. */
  private static boolean isLastThread() {
    ThreadGroup all = Thread.currentThread().getThreadGroup();
    while (all.getParent() != null) {
      all = all.getParent();
    }
    Thread[] threads = new Thread[2 * all.activeCount() + 1];
    for (int i = all.enumerate(threads) - 1; i >= 0; i--) {
      if (threads[i] != Thread.currentThread() && !threads[i].isDaemon()) {
        return false;
      }
    }
    return true;
  }

  /** The program exits. Of several calls the first counts; of two at a time either may. */
  public static void exited(int status) {
    if (code == NONE) {
      code = status;
    }
    ended();
  }

  /** The JVM begins to shut down. */
  public static void ended() {
    OpenOverTime.end();
  }

  /** What it is; {@link #NONE}: none was given. */
  public static int get() {
    return code;
  }
}
