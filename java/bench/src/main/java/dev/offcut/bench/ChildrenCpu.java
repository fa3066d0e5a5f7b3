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
 * CPU time of all child processes that have ended, by {@code getrusage(RUSAGE_CHILDREN)}: the
 * difference around one child is the whole child's, its start and its end included, where no other
 * ends meanwhile. NaN where the system has no getrusage.
 *
 * @param userNanos in the program
 * @param systemNanos in the system, for it
 */
record ChildrenCpu(double userNanos, double systemNanos) {
  private static final int RUSAGE_CHILDREN = -1;

  private static final ChildrenCpu UNKNOWN = new ChildrenCpu(Double.NaN, Double.NaN);

  /** struct rusage begins with ru_utime and ru_stime, a timeval each. */
  private static final long STRUCT_BYTES = 144;

  /** struct timeval: two longs on 64-bit systems. */
  private static final long TIMEVAL_BYTES = 16;

  private static final @Nullable MethodHandle GETRUSAGE = find();

  static ChildrenCpu soFar() {
    if (GETRUSAGE == null) {
      return UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment usage = arena.allocate(STRUCT_BYTES * 2, 8);
      int failed = (int) GETRUSAGE.invokeExact(RUSAGE_CHILDREN, usage);
      return failed != 0 ? UNKNOWN : new ChildrenCpu(nanos(usage, 0), nanos(usage, TIMEVAL_BYTES));
    } catch (Throwable t) {
      throw new IllegalStateException("getrusage", t);
    }
  }

  /** What has been added. */
  ChildrenCpu since(ChildrenCpu before) {
    return new ChildrenCpu(userNanos - before.userNanos, systemNanos - before.systemNanos);
  }

  double allNanos() {
    return userNanos + systemNanos;
  }

  boolean isKnown() {
    return !Double.isNaN(userNanos);
  }

  /** tv_usec: 4 bytes on macOS, 8 on Linux; always below 2^31, and both are little-endian. */
  private static double nanos(MemorySegment usage, long at) {
    return usage.get(JAVA_LONG, at) * 1e9 + usage.get(JAVA_INT, at + JAVA_LONG.byteSize()) * 1e3;
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
