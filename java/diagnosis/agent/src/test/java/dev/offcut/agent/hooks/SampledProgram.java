package dev.offcut.agent.hooks;

import dev.offcut.agent.base.concurrent.Samples;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens more than what leaves its stack anyway, of several sizes. Arguments: what; and {@code
 * close} to close all of it.
 */
public final class SampledProgram {
  static final int MIB = 1 << 20;

  /** Of each size at its line. */
  static final int SMALL = 30_000;

  static final int SMALL_BYTES = 64;
  static final int MEDIUM = 1_000;
  static final int MEDIUM_BYTES = 64 << 10;
  static final int LARGE = 6;
  static final int LARGE_BYTES = 8 * MIB;

  /** Arenas that two lines fill, each with what leaves its stack always. */
  static final int LAYERED = 100;

  /** Blocks that are the first to be opened, and how often each is reallocated. */
  static final int EARLY = 64;

  static final int TIMES = 100;

  private static final List<Object> HELD = new ArrayList<>();

  private SampledProgram() {}

  public static void main(String[] args) throws Exception {
    switch (args[0]) {
      case "buffers" -> {
        for (int i = 0; i < SMALL; i++) {
          HELD.add(small());
          if (i % (SMALL / MEDIUM) == 0) {
            HELD.add(medium());
          }
          if (i % (SMALL / LARGE) == 0) {
            HELD.add(large());
          }
        }
      }
      case "blocks" -> {
        for (int i = 0; i < SMALL; i++) {
          long block = (Long) unsafe("allocateMemory", (long) SMALL_BYTES);
          boolean grows = i % (SMALL / MEDIUM) == 0;
          HELD.add(grows ? grow(block) : (Object) block);
        }
      }
      case "arenas" -> {
        for (int i = 0; i < SMALL; i++) {
          Object arena = arena(i % 2 == 0 ? "ofShared" : "ofConfined");
          HELD.add(arena);
          allocate(arena, SMALL_BYTES);
          if (i % (SMALL / MEDIUM) < 2) {
            allocateMore(arena);
          }
        }
      }
      case "layers" -> {
        for (int i = 0; i < LAYERED; i++) {
          Object arena = arena("ofShared");
          HELD.add(arena);
          header(arena);
          body(arena);
        }
      }
      case "early" -> {
        for (int i = 0; i < EARLY; i++) {
          HELD.add(again((Long) unsafe("allocateMemory", (long) SMALL_BYTES)));
        }
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
    if (args.length > 1) {
      for (Object one : HELD) {
        close(one);
      }
    }
    System.out.println(HELD.size());
  }

  private static ByteBuffer small() {
    return ByteBuffer.allocateDirect(SMALL_BYTES);
  }

  private static ByteBuffer medium() {
    return ByteBuffer.allocateDirect(MEDIUM_BYTES);
  }

  private static ByteBuffer large() {
    return ByteBuffer.allocateDirect(LARGE_BYTES);
  }

  /** In two steps, and back by a little. */
  private static Object grow(long block) throws ReflectiveOperationException {
    long more = (Long) unsafe("reallocateMemory", block, (long) MEDIUM_BYTES / 2);
    long most = (Long) unsafe("reallocateMemory", more, (long) MEDIUM_BYTES + 100);
    return unsafe("reallocateMemory", most, (long) MEDIUM_BYTES);
  }

  private static Object again(long block) throws ReflectiveOperationException {
    long at = block;
    for (int i = 0; i < TIMES; i++) {
      at = (Long) unsafe("reallocateMemory", at, (long) SMALL_BYTES + i % 2);
    }
    return at;
  }

  private static void header(Object arena) throws ReflectiveOperationException {
    allocate(arena, Samples.MEAN_BYTES);
  }

  private static void body(Object arena) throws ReflectiveOperationException {
    allocate(arena, Samples.MEAN_BYTES);
  }

  private static Object unsafe(String name, Object... arguments)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    var field = type.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name)) {
        return method.invoke(field.get(null), arguments);
      }
    }
    throw new NoSuchMethodException(name);
  }

  private static Object arena(String how) throws ReflectiveOperationException {
    return Class.forName("java.lang.foreign.Arena").getMethod(how).invoke(null);
  }

  private static void allocateMore(Object arena) throws ReflectiveOperationException {
    for (int i = 0; i < 4; i++) {
      allocate(arena, MEDIUM_BYTES / 4);
    }
  }

  private static void allocate(Object arena, long bytes) throws ReflectiveOperationException {
    Class<?> type = Class.forName("java.lang.foreign.Arena");
    type.getMethod("allocate", long.class, long.class).invoke(arena, bytes, 1L);
  }

  private static void close(Object one) throws ReflectiveOperationException {
    if (one instanceof ByteBuffer) {
      unsafe("invokeCleaner", one);
    } else if (one instanceof Long) {
      unsafe("freeMemory", one);
    } else {
      Class.forName("java.lang.foreign.Arena").getMethod("close").invoke(one);
    }
  }
}
