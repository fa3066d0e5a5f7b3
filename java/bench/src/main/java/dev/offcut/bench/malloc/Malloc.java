package dev.offcut.bench.malloc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The C library's malloc and free. */
public final class Malloc {
  private static final MethodHandle MALLOC =
      Downcalls.ofLibc("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE =
      Downcalls.ofLibc("free", FunctionDescriptor.ofVoid(JAVA_LONG));

  private Malloc() {}

  public static long malloc(long bytes) {
    try {
      return Downcalls.checked((long) MALLOC.invokeExact(bytes), bytes);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }

  public static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }

  /** Gives back to the system what is free: glibc's {@code malloc_trim(0)}. */
  public static void trim() {
    try {
      var trim = Downcalls.ofLibc("malloc_trim", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
      int ignored = (int) trim.invokeExact(0L);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }

  /** Such as {@code 2.36}, of glibc. */
  @SuppressWarnings("restricted") // a C string
  public static String version() {
    try {
      var version = Downcalls.ofLibc("gnu_get_libc_version", FunctionDescriptor.of(ADDRESS));
      MemorySegment text = (MemorySegment) version.invokeExact();
      return text.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }
}
