package dev.offcut.agent.base.concurrent;

/**
 * The exit code of the program, from when it is known until the JVM has ended.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class ExitCode {
  /** No exit code was given. */
  public static final int NONE = -1;

  private static volatile int code = NONE;

  private ExitCode() {}

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
