package dev.offcut.bench.child.track;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One resource opened, and closed or left to the collector. */
enum Operation {
  UNSAFE("Unsafe allocate + free 64 B") {
    @Override
    void run() throws Throwable {
      FREE.invokeExact((long) ALLOCATE.invokeExact(64L));
    }
  },
  BUFFER("allocateDirect(1 KiB) + invokeCleaner") {
    @Override
    void run() throws Throwable {
      CLEAN.invokeExact(ByteBuffer.allocateDirect(1024));
    }
  },
  BUFFER_LEFT("allocateDirect(1 KiB), freed by the collector") {
    @Override
    void run() {
      sink = ByteBuffer.allocateDirect(1024);
    }
  },
  CLEANER("Cleaner register + clean") {
    @Override
    void run() {
      CLEANERS.register(new Object(), Operation::nothing).clean();
    }
  },
  FINALIZER("new object with finalize") {
    @Override
    void run() {
      sink = new Finalized();
    }
  },
  CONFINED("FFM confined open + close") {
    @Override
    void run() throws Throwable {
      close(OF_CONFINED, 0);
    }
  },
  CONFINED_64("FFM confined + allocate 64 B") {
    @Override
    void run() throws Throwable {
      close(OF_CONFINED, 1);
    }
  },
  CONFINED_10("FFM confined x 10 allocations") {
    @Override
    void run() throws Throwable {
      close(OF_CONFINED, 10);
    }
  },
  SHARED_64("FFM shared + 64 B") {
    @Override
    void run() throws Throwable {
      close(OF_SHARED, 1);
    }
  },
  AUTOMATIC_64("FFM automatic 64 B") {
    @Override
    void run() throws Throwable {
      sink = NEW.invokeExact((Object) OF_AUTO.invokeExact(), 64L);
    }
  };

  static @Nullable Object sink;

  private static final Cleaner CLEANERS = Cleaner.create();

  private static final MethodHandle ALLOCATE;
  private static final MethodHandle FREE;
  private static final MethodHandle CLEAN;

  /** Of {@code java.lang.foreign}, which there is from JDK 22 on; before they do nothing. */
  private static final MethodHandle OF_CONFINED = arena("ofConfined");

  private static final MethodHandle OF_SHARED = arena("ofShared");
  private static final MethodHandle OF_AUTO = arena("ofAuto");
  private static final MethodHandle NEW = arena("allocate");
  private static final MethodHandle CLOSE = arena("close");

  static {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field only = type.getDeclaredField("theUnsafe");
      only.setAccessible(true);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Object unsafe = only.get(null);
      ALLOCATE = lookup.unreflect(type.getMethod("allocateMemory", long.class)).bindTo(unsafe);
      FREE = lookup.unreflect(type.getMethod("freeMemory", long.class)).bindTo(unsafe);
      CLEAN = lookup.unreflect(type.getMethod("invokeCleaner", ByteBuffer.class)).bindTo(unsafe);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** What it is called in tables. */
  final String label;

  Operation(String label) {
    this.label = label;
  }

  abstract void run() throws Throwable;

  /** Whether it needs {@code java.lang.foreign}. */
  boolean isForeign() {
    return label.startsWith("FFM");
  }

  private static void nothing() {}

  private static void close(MethodHandle open, int allocations) throws Throwable {
    Object arena = (Object) open.invokeExact();
    for (int i = 0; i < allocations; i++) {
      sink = (Object) NEW.invokeExact(arena, 64L);
    }
    CLOSE.invokeExact(arena);
  }

  private static MethodHandle arena(String name) {
    try {
      Class<?> arena = Class.forName("java.lang.foreign.Arena");
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      if (name.equals("allocate")) {
        Method allocate = arena.getMethod(name, long.class);
        MethodType type = MethodType.methodType(Object.class, Object.class, long.class);
        return lookup.unreflect(allocate).asType(type);
      }
      MethodHandle found = lookup.unreflect(arena.getMethod(name));
      return name.equals("close")
          ? found.asType(MethodType.methodType(void.class, Object.class))
          : found.asType(MethodType.methodType(Object.class));
    } catch (ReflectiveOperationException e) {
      return MethodHandles.empty(MethodType.methodType(void.class));
    }
  }

  /** What has a finalizer that does something. */
  private static final class Finalized {
    @Override
    @SuppressWarnings({
      "deprecation",
      "removal",
      "Finalize",
      "Finalizers"
    }) // it is what is measured
    protected void finalize() {
      Thread.onSpinWait();
    }
  }
}
