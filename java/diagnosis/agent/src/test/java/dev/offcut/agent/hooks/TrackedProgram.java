package dev.offcut.agent.hooks;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.lang.ref.Cleaner;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A program that closes some resources and forgets others, which nobody changed for the agent.
 *
 * <p>Arguments: how many threads do it; how many they forget together, for each kind; the kinds.
 */
public final class TrackedProgram {
  /** Bytes of each. */
  public static final int BYTES = 64;

  private static final Cleaner CLEANER = Cleaner.create();

  private TrackedProgram() {}

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int count = Integer.parseInt(args[1]) / threads;
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int kind = 2; kind < args.length; kind++) {
                  use(args[kind], count);
                }
              });
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    if (List.of(args).contains("finalizer")) {
      awaitFinalizers(count * threads);
    }
    System.out.println("done");
  }

  /** One thread runs them all, when it comes to run: that is not the agent's to wait for. */
  private static void awaitFinalizers(int count) throws InterruptedException {
    for (int i = 0; Finalized.RUN.get() < count; i++) {
      if (i % 20 == 0) {
        System.gc();
      }
      Thread.sleep(10);
    }
  }

  private static void use(String kind, int count) {
    try {
      for (int i = 0; i < count; i++) {
        forget(kind);
      }
      for (int i = 0; i < count / 2; i++) {
        close(kind);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void forget(String kind) throws ReflectiveOperationException {
    switch (kind) {
      case "arena.confined" -> allocate(arena("ofConfined"));
      case "arena.shared" -> allocate(arena("ofShared"));
      case "arena.automatic" -> allocate(arena("ofAuto"));
      case "buffer.direct" -> ByteBuffer.allocateDirect(BYTES);
      case "unsafe" -> unsafe("allocateMemory", (long) BYTES);
      case "jna" -> new Memory(BYTES);
      case "malloc.downcall" -> Downcall.malloc(BYTES);
      case "malloc.jna" -> Native.malloc(BYTES);
      case "cleaner" -> CLEANER.register(new Object(), TrackedProgram::nothing);
      case "finalizer" -> new Finalized();
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private static void close(String kind) throws ReflectiveOperationException {
    switch (kind) {
      case "arena.confined" -> close(arena("ofConfined"));
      case "arena.shared" -> close(arena("ofShared"));
      case "arena.automatic", "finalizer" -> {} // there is no close
      case "buffer.direct" -> unsafe("invokeCleaner", ByteBuffer.allocateDirect(BYTES));
      case "unsafe" -> {
        Object block = unsafe("allocateMemory", (long) BYTES / 2);
        unsafe("freeMemory", unsafe("reallocateMemory", block, (long) BYTES));
      }
      case "jna" -> new Memory(BYTES).close();
      case "malloc.downcall" -> Downcall.free(Downcall.realloc(Downcall.malloc(BYTES / 2), BYTES));
      case "malloc.jna" -> Native.free(Native.malloc(BYTES));
      case "cleaner" -> CLEANER.register(new Object(), TrackedProgram::nothing).clean();
      default -> throw new IllegalArgumentException(kind);
    }
  }

  private static void nothing() {}

  private static Object arena(String how) throws ReflectiveOperationException {
    return Class.forName("java.lang.foreign.Arena").getMethod(how).invoke(null);
  }

  private static void allocate(Object arena) throws ReflectiveOperationException {
    Class<?> type = Class.forName("java.lang.foreign.Arena");
    type.getMethod("allocate", long.class, long.class).invoke(arena, (long) BYTES, 1L);
  }

  private static void close(Object arena) throws ReflectiveOperationException {
    allocate(arena);
    Class.forName("java.lang.foreign.Arena").getMethod("close").invoke(arena);
    try {
      Class.forName("java.lang.foreign.Arena").getMethod("close").invoke(arena);
      throw new AssertionError("closed twice");
    } catch (InvocationTargetException e) {
      // it is closed, and counts once
    }
  }

  /** Calls a method of the program's Unsafe. */
  static @Nullable Object unsafe(String method, @Nullable Object... arguments)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field only = type.getDeclaredField("theUnsafe");
    only.setAccessible(true);
    for (Method candidate : type.getMethods()) {
      if (candidate.getName().equals(method)) {
        return candidate.invoke(only.get(null), arguments);
      }
    }
    throw new NoSuchMethodException(method);
  }

  /** What has a finalizer that does something: others are not registered. */
  private static final class Finalized {
    static final AtomicInteger RUN = new AtomicInteger();

    @Override
    @SuppressWarnings({"deprecation", "removal", "Finalize", "Finalizers"}) // it is what is tested
    protected void finalize() {
      RUN.incrementAndGet();
    }
  }
}
