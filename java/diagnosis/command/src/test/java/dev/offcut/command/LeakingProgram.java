package dev.offcut.command;

import java.lang.foreign.Arena;

/** A program that forgets to close arenas. */
final class LeakingProgram {
  private LeakingProgram() {}

  /**
   * {@code FORGET EXIT [wait]}: how many, its exit code, and whether it then waits for a signal.
   */
  public static void main(String[] args) throws InterruptedException {
    int count = Integer.parseInt(args[0]);
    for (int i = 0; i < count; i++) {
      forget();
    }
    System.out.println("forgot " + count);
    if (args.length > 2) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("bye")));
      System.out.println("waiting");
      Thread.sleep(Long.MAX_VALUE);
    }
    System.exit(Integer.parseInt(args[1]));
  }

  private static void forget() {
    Arena.ofConfined().allocate(1024);
  }
}
