package dev.offcut.bench.run;

import dev.offcut.bench.child.Child;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens and closes arenas, and reports the most memory that the process had. Argument: how many.
 *
 * <p>In a JVM that runs nothing else, such an arena needs no object: the compiler sees that nobody
 * else sees it. An agent sees it.
 */
final class ArenaLoop {
  private static final long BYTES = 64;
  private static final String HIGH_WATER = "VmHWM:";

  private ArenaLoop() {}

  public static void main(String[] args) throws IOException {
    long addresses = 0;
    for (long left = Long.parseLong(args[0]); left > 0; left--) {
      try (Arena arena = Arena.ofConfined()) {
        addresses += arena.allocate(BYTES).address();
      }
    }
    if (addresses == 0) {
      throw new IOException("no arena has an address"); // so the compiler leaves nothing out
    }
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(HIGH_WATER)) {
        String kib = line.substring(HIGH_WATER.length()).strip().split(" ", 2)[0];
        Child.figure("max_rss_mb", Long.parseLong(kib) / 1024.0, "MB");
      }
    }
  }
}
