package dev.offcut.bench.malloc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.offcut.bench.MemoryTool;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** jemalloc, where the system has its library; its classes are linked when it is called first. */
public final class Jemalloc {
  /**
   * Variables of a process that calls it: free pages go back at once, in place of some seconds
   * later; and the library, which has more thread-local variables than others, can be loaded late.
   */
  public static final Map<String, String> ENVIRONMENT =
      Map.of(
          "MALLOC_CONF", "dirty_decay_ms:0,muzzy_decay_ms:0",
          "GLIBC_TUNABLES", "glibc.rtld.optional_static_tls=16384");

  private Jemalloc() {}

  /** Constants, so that a call is compiled as one. */
  private static final class Calls {
    static final SymbolLookup LIBRARY = library();
    static final MethodHandle MALLOC =
        Downcalls.of(LIBRARY, "malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    static final MethodHandle FREE =
        Downcalls.of(LIBRARY, "free", FunctionDescriptor.ofVoid(JAVA_LONG));

    /** Name, where the old value and its length go, the new value and its length. */
    static final MethodHandle MALLCTL =
        Downcalls.of(
            LIBRARY,
            "mallctl",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));

    @SuppressWarnings("restricted") // the functions are called with their own signatures
    private static SymbolLookup library() {
      @Nullable Path library = MemoryTool.jemallocLibrary();
      return SymbolLookup.libraryLookup(
          Objects.requireNonNull(library, "no jemalloc here"), Arena.global());
    }
  }

  public static boolean isThere() {
    return MemoryTool.jemallocLibrary() != null;
  }

  public static long malloc(long bytes) {
    try {
      return Downcalls.checked((long) Calls.MALLOC.invokeExact(bytes), bytes);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }

  public static void free(long address) {
    try {
      Calls.FREE.invokeExact(address);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }

  /** Gives back to the system what is free: also what this thread keeps. */
  public static void purge() {
    try (Arena arena = Arena.ofConfined()) {
      control(arena.allocateFrom("thread.tcache.flush"));
      control(arena.allocateFrom("arena.4096.purge")); // of all arenas
    }
  }

  /** Does what needs no value and returns none. */
  private static void control(MemorySegment name) {
    MemorySegment none = MemorySegment.NULL;
    int failed;
    try {
      failed = (int) Calls.MALLCTL.invokeExact(name, none, none, none, 0L);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
    if (failed != 0) {
      throw new IllegalStateException("mallctl: " + failed);
    }
  }
}
