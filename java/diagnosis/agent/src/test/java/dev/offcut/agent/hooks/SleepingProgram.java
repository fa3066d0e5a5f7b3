package dev.offcut.agent.hooks;

/** A program that does nothing for so many milliseconds, and exits if it has an exit code. */
public final class SleepingProgram {
  private SleepingProgram() {}

  public static void main(String[] args) throws InterruptedException {
    Thread.sleep(Long.parseLong(args[0]));
    if (args.length > 1) {
      System.exit(Integer.parseInt(args[1]));
    }
  }
}
