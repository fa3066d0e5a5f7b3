package dev.offcut.bench.malloc;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** mimalloc, where the system has its library; its classes are linked when it is called first. */
public final class Mimalloc {
  private static final List<String> LIBRARIES = List.of("libmimalloc.so.3", "libmimalloc.so.2");
  private static final @Nullable SymbolLookup LIBRARY = library();

  private Mimalloc() {}

  /** Constants, so that a call is compiled as one. */
  private static final class Calls {
    static final MethodHandle MALLOC =
        find("mi_malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    static final MethodHandle FREE = find("mi_free", FunctionDescriptor.ofVoid(JAVA_LONG));

    private static MethodHandle find(String name, FunctionDescriptor type) {
      return Downcalls.of(Objects.requireNonNull(LIBRARY, "no mimalloc here"), name, type);
    }
  }

  public static boolean isThere() {
    return LIBRARY != null;
  }

  /** That there are no rows of it, and what to do. */
  public static String absence() {
    return "mimalloc: none of " + LIBRARIES + " is installed (Debian: libmimalloc2.0)";
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

  /** Gives back to the system what is free. */
  public static void collect() {
    try {
      Calls.find("mi_collect", FunctionDescriptor.ofVoid(JAVA_BOOLEAN)).invokeExact(true);
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }

  /** Such as {@code 2.0.9}. */
  public static String version() {
    if (!isThere()) {
      return "none";
    }
    try {
      int version = (int) Calls.find("mi_version", FunctionDescriptor.of(JAVA_INT)).invokeExact();
      return version / 100 + "." + version / 10 % 10 + "." + version % 10;
    } catch (Throwable t) {
      throw Downcalls.thrown(t);
    }
  }

  @SuppressWarnings("restricted") // the functions are called with their own signatures
  private static @Nullable SymbolLookup library() {
    for (String name : LIBRARIES) {
      try {
        return SymbolLookup.libraryLookup(name, Arena.global());
      } catch (IllegalArgumentException e) {
        // not this one
      }
    }
    return null;
  }
}
