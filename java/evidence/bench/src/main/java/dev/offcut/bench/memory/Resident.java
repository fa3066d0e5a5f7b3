package dev.offcut.bench.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.bench.malloc.Downcalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

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

  /** Bytes of these pages that are; one that is no longer mapped is not. */
  static long of(Set<Long> pages) {
    MethodHandle mincore =
        Downcalls.ofLibc("mincore", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS));
    long bytes = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(JAVA_BYTE);
      for (long page : pages) {
        int failed = (int) mincore.invokeExact(page, PAGE_BYTES, answer);
        bytes += failed == 0 && (answer.get(JAVA_BYTE, 0) & 1) != 0 ? PAGE_BYTES : 0;
      }
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
    return bytes;
  }
}
