package dev.offcut.bench.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is in memory, as Linux says. */
final class Resident {
  static final long PAGE_BYTES = 4096;

  private static final Path STATM = Path.of("/proc/self/statm");

  private Resident() {}

  /** Bytes of this process that are in memory: its heap and its code too. */
  static long ofProcess() {
    try {
      return Long.parseLong(Files.readString(STATM).split(" ", -1)[1]) * PAGE_BYTES;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
