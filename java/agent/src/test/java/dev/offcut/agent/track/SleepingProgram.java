package dev.offcut.agent.track;

/** A program that does nothing for so many milliseconds. */
public final class SleepingProgram {
  private SleepingProgram() {}

  public static void main(String[] args) throws InterruptedException {
    Thread.sleep(Long.parseLong(args[0]));
  }
}
