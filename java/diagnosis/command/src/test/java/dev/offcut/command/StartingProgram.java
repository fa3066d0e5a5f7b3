package dev.offcut.command;

import java.io.IOException;
import java.nio.file.Path;

/** Starts another JVM by itself, which lives as long as this one: for some seconds. */
final class StartingProgram {
  private static final int MILLIS = 6_000;

  private StartingProgram() {}

  /** With an argument it is the other JVM. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0) {
      System.in.read(); // ends with the pipe
      return;
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    new ProcessBuilder(java, "-cp", classes, StartingProgram.class.getName(), "other").start();
    Thread.sleep(MILLIS);
  }
}
