package dev.offcut.command;

import java.io.IOException;
import java.lang.foreign.Arena;

/** A program that forgets to close arenas. */
final class LeakingProgram {
  private LeakingProgram() {}

  /**
   * {@code FORGET EXIT [wait]}: how many, its exit code, and whether it then waits for a signal,
   * and forgets as many for each line that it is told.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int count = Integer.parseInt(args[0]);
    forget(count);
    if (args.length > 2) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("bye")));
      System.out.println("waiting");
      while (System.in.read() >= 0) {
        forget(count);
      }
      Thread.sleep(Long.MAX_VALUE);
    }
    System.exit(Integer.parseInt(args[1]));
  }

  private static void forget(int count) {
    for (int i = 0; i < count; i++) {
      Arena.ofConfined().allocate(1024);
    }
    System.out.println("forgot " + count);
  }
}
