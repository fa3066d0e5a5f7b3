package org.example;

import dev.offcut.handle.CloseWithChildren;
import dev.offcut.handle.GuardedHandle;
import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** A binding to zlib's compression: a stream's memory is the parent of the compression in it. */
final class Zlib {
  private Zlib() {}

  /** A {@code z_stream}, in C's heap. Closing it ends the compression in it first. */
  static final class Stream extends GuardedHandle {
    private static final HandleType TYPE =
        HandleType.named("z_stream")
            .releaser(Native::free)
            .closeWithChildren(CloseWithChildren.CASCADE)
            .create();

    Stream() {
      open(Native::newStream);
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** A compression: what {@code deflateEnd} must end before the stream's memory is freed. */
  static final class Deflater extends Handle {
    private static final HandleType TYPE =
        HandleType.named("deflate")
            .releaser(Native::deflateEnd)
            .childOf(Stream.TYPE)
            .create();

    Deflater(Stream stream, int level) {
      super(stream);
      open(() -> stream.withLong(address -> Native.deflateInit(address, level)));
    }

    /** Compresses {@code bytes}; to be called once. */
    byte[] compress(byte[] bytes) {
      return with(address -> Native.deflate(address, bytes));
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** The functions of C, with addresses as numbers: a returned segment would need Java heap. */
  private static final class Native {
    private static final int FINISH = 4;
    private static final int OK = 0;
    private static final int STREAM_END = 1;

    // The fields of a z_stream on 64-bit systems that are used here, and its size.
    private static final long NEXT_IN = 0;
    private static final long AVAIL_IN = 8;
    private static final long NEXT_OUT = 24;
    private static final long AVAIL_OUT = 32;
    private static final long TOTAL_OUT = 40;
    private static final long SIZE = 112;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBRARY =
        SymbolLookup.libraryLookup(
            System.getProperty("os.name").startsWith("Mac") ? "libz.dylib" : "libz.so.1",
            Arena.global());

    private static final MethodHandle CALLOC =
        link(LINKER.defaultLookup(), "calloc", LONG, LONG, LONG);
    private static final MethodHandle FREE =
        LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(LONG));
    private static final MethodHandle VERSION = link(LIBRARY, "zlibVersion", LONG);
    private static final MethodHandle INIT =
        link(LIBRARY, "deflateInit_", INT, LONG, INT, LONG, INT);
    private static final MethodHandle BOUND = link(LIBRARY, "deflateBound", LONG, LONG, LONG);
    private static final MethodHandle DEFLATE = link(LIBRARY, "deflate", INT, LONG, INT);
    private static final MethodHandle END = link(LIBRARY, "deflateEnd", INT, LONG);

    private Native() {}

    private static MethodHandle link(
        SymbolLookup library, String name, MemoryLayout result, MemoryLayout... arguments) {
      return LINKER.downcallHandle(
          library.findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    static long newStream() throws Throwable {
      long address = (long) CALLOC.invokeExact(1L, SIZE);
      if (address == 0) {
        throw new OutOfMemoryError("calloc: no native memory for a z_stream");
      }
      return address;
    }

    static void free(long stream) throws Throwable {
      FREE.invokeExact(stream);
    }

    /** The address of the stream, in which a compression has begun. */
    static long deflateInit(long stream, int level) throws Throwable {
      long version = (long) VERSION.invokeExact();
      int code = (int) INIT.invokeExact(stream, level, version, (int) SIZE);
      if (code != OK) {
        throw new IllegalArgumentException("deflateInit: level " + level + ", code " + code);
      }
      return stream;
    }

    /** All of it in one step. */
    static byte[] deflate(long stream, byte[] bytes) throws Throwable {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
        long most = (long) BOUND.invokeExact(stream, (long) bytes.length);
        MemorySegment out = arena.allocate(most);
        MemorySegment fields = MemorySegment.ofAddress(stream).reinterpret(SIZE);
        fields.set(LONG, NEXT_IN, in.address());
        fields.set(INT, AVAIL_IN, bytes.length);
        fields.set(LONG, NEXT_OUT, out.address());
        fields.set(INT, AVAIL_OUT, (int) most);
        int code = (int) DEFLATE.invokeExact(stream, FINISH);
        if (code != STREAM_END) {
          throw new IllegalStateException("deflate: code " + code);
        }
        return out.asSlice(0, fields.get(LONG, TOTAL_OUT)).toArray(ValueLayout.JAVA_BYTE);
      }
    }

    /** A compression that was not finished answers that data were lost, as it should. */
    static void deflateEnd(long stream) throws Throwable {
      int code = (int) END.invokeExact(stream);
    }
  }
}
