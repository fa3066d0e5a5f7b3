package dev.offcut.leaks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Who measures a program from outside, if there is one. Without the system properties below, both
 * methods do nothing.
 */
final class Observer {
  /** The program waits for a line on its standard input at its begin and at its end. */
  private static final boolean WAITS = Boolean.getBoolean("leaks.wait");

  /** The program writes its CPU time and its peak of resident memory to this file at its end. */
  private static final String FIGURES = System.getProperty("leaks.figures", "");

  private Observer() {}

  /** The program has not leaked yet. */
  static void begin() throws IOException {
    await("begin");
  }

  /** The program has leaked what it leaks, and has not ended. */
  static void end() throws IOException {
    if (!FIGURES.isEmpty()) {
      long nanos = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
      Files.writeString(Path.of(FIGURES), nanos / 1_000_000 + " " + peakKiB() + "\n");
    }
    await("end");
  }

  private static void await(String where) throws IOException {
    if (WAITS) {
      System.out.println("@leaks " + where);
      System.out.flush();
      if (System.in.read() < 0) {
        throw new IOException("the observer has gone");
      }
    }
  }

  private static long peakKiB() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }
}
