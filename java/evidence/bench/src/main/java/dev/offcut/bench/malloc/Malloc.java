package dev.offcut.bench.malloc;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * malloc and free of a native allocator, by critical downcalls, as the pool calls the system: the
 * thread does not leave Java, so a call costs less, and a collection waits for its end. A process
 * has one allocator, so that the two functions are constants, and a call is compiled as one: the
 * one that it asked for with {@link #use}, or else the C library's.
 */
public final class Malloc {
  private static MallocLibrary library = MallocLibrary.LIBC;
  private static boolean isFixed;

  private Malloc() {}

  /** The functions, found when one is called first. */
  private static final class Calls {
    static final MethodHandle MALLOC;
    static final MethodHandle FREE;

    static {
      isFixed = true;
      Linker.Option critical = Linker.Option.critical(false);
      MALLOC =
          library.downcall(library.malloc, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG), critical);
      FREE = library.downcall(library.free, FunctionDescriptor.ofVoid(JAVA_LONG), critical);
    }
  }

  /** Says which allocator this process calls, before its first call. */
  public static synchronized void use(MallocLibrary of) {
    if (isFixed && of != library) {
      throw new IllegalStateException("this process calls " + library.title() + " already");
    }
    library = of;
  }

  public static long malloc(long bytes) {
    try {
      long address = (long) Calls.MALLOC.invokeExact(bytes);
      if (address == 0) {
        throw new OutOfMemoryError("malloc of " + bytes + " bytes");
      }
      return address;
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  public static void free(long address) {
    try {
      Calls.FREE.invokeExact(address);
    } catch (Throwable t) {
      throw thrown(t);
    }
  }

  /** Gives back to the system what is free. */
  public static void trim() {
    library.trim();
  }

  /** What a downcall threw, which is never the function's doing. */
  static RuntimeException thrown(Throwable t) {
    if (t instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(t);
  }
}
