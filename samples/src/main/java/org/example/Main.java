package org.example;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleSnapshot;
import dev.offcut.handle.HandleType;
import dev.offcut.handle.Handles;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.PoolArena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Opens and closes handles of C's {@code malloc} and of zlib, and an arena of a pool. */
public final class Main {
  private Main() {}

  /** A block of C's heap. */
  static final class Block extends Handle {
    private static final HandleType TYPE =
        HandleType.named("block").releaser(Native::free).create();

    Block(long bytes) {
      open(() -> Native.malloc(bytes));
    }

    @Override
    protected HandleType type() {
      return TYPE;
    }
  }

  /** The two functions of C, called with addresses. */
  static final class Native {
    private static final MethodHandle MALLOC =
        function("malloc", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE =
        function("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    private static MethodHandle function(String name, FunctionDescriptor descriptor) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
    }

    static long malloc(long bytes) throws Throwable {
      return (long) MALLOC.invokeExact(bytes);
    }

    static void free(long address) throws Throwable {
      FREE.invokeExact(address);
    }
  }

  /**
   * Uses all of them, and prints a line for each library.
   *
   * @param args none
   * @throws DataFormatException if zlib compressed to what Java cannot read
   */
  public static void main(String[] args) throws DataFormatException {
    try (Block block = new Block(64)) {
      if (block.isClosed()) {
        throw new IllegalStateException("the block is closed");
      }
    }
    try (MemoryPool pool = MemoryPool.named("sample").create();
        PoolArena arena = pool.owner().openArena()) {
      MemorySegment greeting = arena.allocateFrom("Offcut");
      System.out.println(greeting.getString(0) + ": one block and one arena, opened and closed");
    }
    compress(new byte[10_000]);
  }

  private static void compress(byte[] bytes) throws DataFormatException {
    byte[] compressed;
    try (Zlib.Stream stream = new Zlib.Stream()) {
      compressed = new Zlib.Deflater(stream, 9).compress(bytes); // closed with its stream
    }
    byte[] back = new byte[bytes.length];
    Inflater inflater = new Inflater();
    inflater.setInput(compressed);
    int length = inflater.inflate(back);
    inflater.end();
    long open = 0;
    for (HandleSnapshot.OfType type : Handles.snapshot().types()) {
      open += type.open();
    }
    System.out.println(
        "zlib: "
            + bytes.length
            + " bytes to "
            + compressed.length
            + " and back: "
            + (length == bytes.length && Arrays.equals(bytes, back))
            + "; open handles: "
            + open);
  }
}
