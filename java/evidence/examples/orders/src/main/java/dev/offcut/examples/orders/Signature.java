package dev.offcut.examples.orders;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The state of a native library that signs: here a block of C's heap. */
final class Signature extends Handle {
  private static final HandleType TYPE =
      HandleType.named("signature").releaser(Native::free).create();
  private static final long BYTES = 4096;
  private static final int FACTOR = 31;

  Signature() {
    open(() -> Native.malloc(BYTES));
  }

  /** Signs a page: a sum of its bytes is enough for an example. */
  long of(MemorySegment page) {
    long sum = 0;
    for (long i = 0; i < page.byteSize(); i++) {
      sum = FACTOR * sum + page.get(ValueLayout.JAVA_BYTE, i);
    }
    return sum;
  }

  @Override
  protected HandleType type() {
    return TYPE;
  }

  /** The two functions of C, called with addresses. */
  private static final class Native {
    private static final MethodHandle MALLOC =
        function("malloc", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE =
        function("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    private Native() {}

    @SuppressWarnings("restricted") // the manifest allows native access
    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
    }

    static long malloc(long bytes) throws Throwable {
      long address = (long) MALLOC.invokeExact(bytes);
      if (address == 0) {
        throw new OutOfMemoryError("malloc: no native memory for " + bytes + " bytes");
      }
      return address;
    }

    static void free(long address) throws Throwable {
      FREE.invokeExact(address);
    }
  }
}
