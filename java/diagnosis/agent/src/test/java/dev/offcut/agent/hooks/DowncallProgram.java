package dev.offcut.agent.hooks;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A program that allocates and frees through handles of all forms, or lets native code free.
 *
 * <p>Arguments: what it does; how often.
 */
public final class DowncallProgram {
  private static final long BYTES = 100;

  /** Of this size each thread keeps what it frees, so that it gets the same address again. */
  private static final long SMALL = 1_000;

  private static final List<ByteBuffer> KEPT = new ArrayList<>();

  private DowncallProgram() {}

  public static void main(String[] args) throws Throwable {
    int rounds = Integer.parseInt(args[1]);
    switch (args[0]) {
      case "forms" -> forms(rounds);
      case "unknown" -> Downcall.of("malloc", "JAVA_INT", "JAVA_LONG").invoke(BYTES);
      case "nativeFree" -> freeByNativeCode(rounds, args[2], args[3]);
      case "nativeFreeOfMany" -> freeManyByNativeCode(rounds);
      case "memory" -> memory(rounds);
      default -> throw new IllegalArgumentException(args[0]);
    }
    System.out.println("done");
  }

  /** Opens and closes {@link #FORMS} blocks, and forgets one. */
  static final int FORMS = 9;

  private static void forms(int rounds) throws Throwable {
    Object[] errno = {Downcall.option("captureCallState", new String[] {"errno"})};
    Object[] critical = {Downcall.option("critical", true)};
    Object[] variadic = {Downcall.option("firstVariadicArg", 1)};
    Object state = segment(64);
    Object out = segment(8);
    MethodHandle malloc = Downcall.of("malloc", "ADDRESS", "JAVA_LONG");
    MethodHandle small = Downcall.of("malloc", "ADDRESS", "JAVA_INT");
    MethodHandle captured = Downcall.of("malloc", errno, "ADDRESS", "JAVA_LONG");
    MethodHandle calloc = Downcall.of("calloc", critical, "ADDRESS", "JAVA_LONG", "JAVA_LONG");
    MethodHandle realloc = Downcall.of("realloc", "ADDRESS", "ADDRESS", "JAVA_LONG");
    MethodHandle array =
        Downcall.of("reallocarray", errno, "ADDRESS", "ADDRESS", "JAVA_LONG", "JAVA_LONG");
    MethodHandle aligned = Downcall.of("aligned_alloc", "JAVA_LONG", "JAVA_LONG", "JAVA_LONG");
    MethodHandle posix =
        Downcall.of("posix_memalign", "JAVA_INT", "ADDRESS", "JAVA_LONG", "JAVA_LONG");
    MethodHandle any = Downcall.unbound(new Object[0], "ADDRESS", "JAVA_LONG");
    MethodHandle free = Downcall.of("free", "", "ADDRESS");
    MethodHandle number = Downcall.of("free", variadic, "", "JAVA_LONG");
    MethodHandle anyFree = Downcall.unbound(errno, "", "ADDRESS");
    for (int i = 0; i < rounds; i++) {
      free.invoke(malloc.invoke(BYTES));
      anyFree.invoke(Downcall.symbol("free"), state, captured.invoke(state, BYTES));
      free.invoke(calloc.invoke(3L, BYTES));
      free.invoke(any.invoke(Downcall.symbol("malloc"), BYTES));
      number.invoke((long) aligned.invoke(64L, 128L));
      check(0 == (int) posix.invoke(out, 64L, BYTES));
      number.invoke(number(out));
      // An alignment that is none: nothing is written, and nothing is read.
      check(0 != (int) posix.invoke(ofAddress(0), 3L, BYTES));
      // What cannot be made larger stays; a size of 0 frees.
      Object block = realloc.invoke(small.invoke(7), BYTES);
      check(address(realloc.invoke(block, Long.MAX_VALUE)) == 0);
      check(address(array.invoke(state, block, 1L << 62, 1L << 62)) == 0);
      block = array.invoke(state, block, 3L, BYTES);
      realloc.invoke(block, 0L);
      // A call that throws leaves the block as it was.
      block = malloc.invoke(BYTES);
      try {
        array.invoke(inClosedArena(state), block, 3L, BYTES);
        throw new AssertionError("called");
      } catch (IllegalStateException e) {
        free.invoke(block);
      }
      // What a closed arena has is not freed.
      block = realloc.invoke(ofAddress(0), BYTES);
      try {
        free.invoke(inClosedArena(block));
        throw new AssertionError("freed");
      } catch (IllegalStateException e) {
        free.invoke(block);
      }
      malloc.invoke(2 * BYTES);
    }
  }

  private static void check(boolean isSo) {
    if (!isSo) {
      throw new AssertionError("a function returned something else");
    }
  }

  /**
   * Each block is freed where nobody sees it. The next one of its size has its address, unless
   * another thread of the JVM took it: so it prints how often an address came again.
   */
  private static void freeByNativeCode(int rounds, String kind, String next) {
    Function free = Function.getFunction("c", "free");
    Set<Long> freed = new HashSet<>();
    int again = 0;
    for (int i = 0; i < rounds; i++) {
      String its = i % 2 == 0 ? kind : next;
      long block = allocate(its);
      again += freed.remove(block) ? 1 : 0;
      if (i < rounds - 1 && !its.equals("buffer.direct")) {
        free.invokeVoid(new Object[] {new Pointer(block)});
        freed.add(block);
      }
    }
    System.out.println("again " + again);
  }

  /** So many are open at a time that the agent's table grows; then addresses come again. */
  private static void freeManyByNativeCode(int rounds) {
    Function free = Function.getFunction("c", "free");
    long[] blocks = new long[rounds];
    for (int i = 0; i < rounds; i++) {
      blocks[i] = allocate("unsafe");
    }
    Set<Long> freed = new HashSet<>();
    for (long block : blocks) {
      free.invokeVoid(new Object[] {new Pointer(block)});
      freed.add(block);
    }
    int again = 0;
    for (int i = 0; i < rounds; i++) {
      again += freed.remove(allocate("unsafe")) ? 1 : 0;
    }
    System.out.println("again " + again);
  }

  private static long allocate(String kind) {
    try {
      return switch (kind) {
        case "unsafe" -> (Long) TrackedProgram.unsafe("allocateMemory", SMALL);
        case "malloc.jna" -> Native.malloc(SMALL);
        case "buffer.direct" -> buffer();
        default -> Downcall.malloc(SMALL);
      };
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A buffer takes an address and keeps it: there is nothing for native code to free. */
  private static long buffer() {
    ByteBuffer buffer = ByteBuffer.allocateDirect((int) SMALL);
    KEPT.add(buffer);
    return Pointer.nativeValue(Native.getDirectBufferPointer(buffer));
  }

  private static void memory(int rounds) {
    for (int i = 0; i < rounds; i++) {
      new Memory(BYTES).close();
      Native.free(Native.malloc(BYTES));
    }
  }

  private static Object segment(long bytes) throws ReflectiveOperationException {
    Object arena = Downcall.type("Arena").getMethod("ofAuto").invoke(null);
    return Downcall.type("Arena")
        .getMethod("allocate", long.class, long.class)
        .invoke(arena, bytes, 8L);
  }

  private static Object ofAddress(long address) throws ReflectiveOperationException {
    return Downcall.type("MemorySegment").getMethod("ofAddress", long.class).invoke(null, address);
  }

  private static long address(@Nullable Object segment) throws ReflectiveOperationException {
    return (Long) Downcall.type("MemorySegment").getMethod("address").invoke(segment);
  }

  private static long number(Object segment) throws ReflectiveOperationException {
    Class<?> layout = Downcall.type("ValueLayout$OfLong");
    return (Long)
        Downcall.type("MemorySegment")
            .getMethod("get", layout, long.class)
            .invoke(segment, Downcall.type("ValueLayout").getField("JAVA_LONG").get(null), 0L);
  }

  private static Object inClosedArena(@Nullable Object block) throws ReflectiveOperationException {
    Class<?> arenas = Downcall.type("Arena");
    Object arena = arenas.getMethod("ofConfined").invoke(null);
    for (Method method : Downcall.type("MemorySegment").getMethods()) {
      if (method.getName().equals("reinterpret")
          && method.getParameterCount() == 3
          && method.getParameterTypes()[0] == long.class) {
        Object made = method.invoke(block, BYTES, arena, null);
        arenas.getMethod("close").invoke(arena);
        return made;
      }
    }
    throw new AssertionError("no reinterpret");
  }
}
