package dev.offcut.bench.longmap;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** The C library's malloc and free. */
final class Malloc {
  private static final MethodHandle MALLOC =
      find("malloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE = find("free", FunctionDescriptor.ofVoid(JAVA_LONG));

  private Malloc() {}

  static long malloc(long bytes) {
    try {
      long address = (long) MALLOC.invokeExact(bytes);
      if (address == 0) {
        throw new OutOfMemoryError("malloc of " + bytes + " bytes");
      }
      return address;
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  private static RuntimeException thrown(Throwable t) {
    if (t instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(t);
  }

  /** With longs for pointers: addresses are all that is wanted. */
  @SuppressWarnings("restricted") // the signatures are those of C
  private static MethodHandle find(String name, FunctionDescriptor type) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type);
  }
}
