package dev.offcut.bench.malloc;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** Downcalls, with longs for pointers: addresses are all that is wanted. */
public final class Downcalls {
  private Downcalls() {}

  /** A function of the C library. */
  public static MethodHandle ofLibc(
      String name, FunctionDescriptor type, Linker.Option... options) {
    return of(Linker.nativeLinker().defaultLookup(), name, type, options);
  }

  @SuppressWarnings("restricted") // the signatures are those of C
  static MethodHandle of(
      SymbolLookup library, String name, FunctionDescriptor type, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(library.findOrThrow(name), type, options);
  }

  /** What a downcall threw, which is never the function's doing. */
  public static RuntimeException thrown(Throwable t) {
    if (t instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(t);
  }
}
