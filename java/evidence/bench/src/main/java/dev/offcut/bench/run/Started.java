package dev.offcut.bench.run;

import dev.offcut.bench.child.Child;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts a command, and reports the time until it ended and the CPU of all its processes.
 * Arguments: the folder in which it runs, and its words.
 */
final class Started {
  /** Of the numbers behind the name in {@code /proc/self/stat}: what children that ended used. */
  private static final int USER = 13;

  private static final int SYSTEM = 14;
  private static final int TICK_MILLIS = 10;

  private Started() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    ProcessBuilder command =
        new ProcessBuilder(List.of(args).subList(1, args.length))
            .directory(Path.of(args[0]).toFile())
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD);
    long began = System.nanoTime();
    int status = command.start().waitFor();
    double elapsed = (System.nanoTime() - began) / 1e6;
    if (status != 0) {
      throw new IOException(String.join(" ", command.command()) + " ended with " + status);
    }
    Child.figure("elapsed_ms", elapsed, "ms");
    Child.figure("cpu_ms", ofChildren(), "ms");
  }

  private static long ofChildren() throws IOException {
    String all = Files.readString(Path.of("/proc/self/stat"));
    String[] numbers = all.substring(all.lastIndexOf(')') + 2).split(" ", -1);
    return TICK_MILLIS * (Long.parseLong(numbers[USER]) + Long.parseLong(numbers[SYSTEM]));
  }
}
