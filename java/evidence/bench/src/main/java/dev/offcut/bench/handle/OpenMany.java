package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.handle.Subject.Closing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code finalization}: after the program of Florian Weimer's article <i>Java finalization
 * revisited</i>, opens and closes handles one after the other, as a whole process with the
 * collector's default heap. The handle never leaves the method that closes it, and the compiler may
 * prove so and never make the plain object at all. {@code first}: the same with one handle, or none
 * by the name {@code alone}.
 *
 * <p>Arguments: implementation, handles.
 */
final class OpenMany {
  private static final String HIGH_WATER = "VmHWM:";

  private OpenMany() {}

  public static void main(String[] args) throws IOException {
    int count = Integer.parseInt(args[1]);
    if (!args[0].equals("alone")) {
      Subject subject = Subject.of(args[0]);
      for (int i = 0; i < count; i++) {
        openAndClose(subject);
      }
    }
    if (count > 1) {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith(HIGH_WATER)) {
          String kib = line.substring(HIGH_WATER.length()).strip().split(" ", 2)[0];
          Child.figure("max_rss_mb", Long.parseLong(kib) / 1024.0, "MB");
        }
      }
    }
  }

  private static void openAndClose(Subject subject) {
    try (Closing handle = subject.open(1)) {
      assert handle != null;
    }
  }
}
