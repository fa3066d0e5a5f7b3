package dev.offcut.bench;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * User CPU time of all child processes that have ended, by {@code getrusage(RUSAGE_CHILDREN)}: the
 * difference around one child is the whole child's, its start and its end included, where no other
 * ends meanwhile.
 */
final class ChildrenCpu {
  private static final int RUSAGE_CHILDREN = -1;

  /** struct rusage begins with ru_utime, a timeval: two longs on 64-bit systems. */
  private static final long STRUCT_BYTES = 144;

  private static final @Nullable MethodHandle GETRUSAGE = find();

  private ChildrenCpu() {}

  /** NaN where the system has no getrusage. */
  static double userNanos() {
    if (GETRUSAGE == null) {
      return Double.NaN;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(STRUCT_BYTES * 2, 8);
      int failed = (int) GETRUSAGE.invokeExact(RUSAGE_CHILDREN, usage);
      return failed != 0 ? Double.NaN : usage.get(JAVA_LONG, 0) * 1e9 + micros(usage) * 1e3;
    } catch (Throwable t) {
      throw new IllegalStateException("getrusage", t);
    }
  }

  /** tv_usec: 4 bytes on macOS, 8 on Linux; always below 2^31, and both are little-endian. */
  private static int micros(MemorySegment usage) {
    return usage.get(JAVA_INT, JAVA_LONG.byteSize());
  }

  @SuppressWarnings("restricted") // the signature is that of POSIX
  private static @Nullable MethodHandle find() {
    Linker linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("getrusage")
        .map(f -> linker.downcallHandle(f, FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS)))
        .orElse(null);
  }
}
