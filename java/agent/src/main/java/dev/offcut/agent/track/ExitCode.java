package dev.offcut.agent.track;

/**
 * The exit code of the program, from when it is known until the JVM has ended.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing.
 */
public final class ExitCode {
  private static volatile int code = ProgramEnd.NO_CODE;

  private ExitCode() {}

  /** The program exits. Of several calls the first counts; of two at a time either may. */
  public static void exited(int status) {
    if (code == ProgramEnd.NO_CODE) {
      code = status;
    }
  }

  /** What it is; {@link ProgramEnd#NO_CODE}: none was given. */
  public static int get() {
    return code;
  }
}
