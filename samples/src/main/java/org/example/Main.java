package org.example;

import dev.offcut.handle.Handle;
import dev.offcut.handle.HandleType;
import dev.offcut.memory.MemoryPool;
import dev.offcut.memory.PoolArena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Opens and closes a handle of C's {@code malloc}, and an arena of a pool. */
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

    static long malloc(long bytes) {
      try {
        return (long) MALLOC.invokeExact(bytes);
      } catch (Throwable thrown) {
        throw new IllegalStateException(thrown);
      }
    }

    static void free(long address) {
      try {
        FREE.invokeExact(address);
      } catch (Throwable thrown) {
        throw new IllegalStateException(thrown);
      }
    }
  }

  /**
   * Uses both, and prints a line.
   *
   * @param args none
   */
  public static void main(String[] args) {
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
  }
}
