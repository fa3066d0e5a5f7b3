package dev.offcut.agent.hooks;

import dev.offcut.agent.base.Kind;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A program of arenas with cleanups, and of arenas that are closed while others allocate.
 *
 * <p>Arguments: what it does, and how often.
 */
public final class ArenaProgram {
  /** Bytes of an arena that stays open. */
  static final long KEPT = 1 << 20;

  private static final Object[] KEEP = new Object[1];

  private ArenaProgram() {}

  public static void main(String[] args) throws Throwable {
    int times = Integer.parseInt(args[1]);
    switch (args[0]) {
      case "captured" -> captured(times);
      case "ordered" -> ordered();
      case "raced" -> raced(times);
      case "late" -> late();
      case "filled" -> filled();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** Objects that nobody refers to but the cleanups of arenas that they have. */
  private static void captured(int times) throws ReflectiveOperationException {
    List<WeakReference<Owner>> owners = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      owners.add(new WeakReference<>(new Owner(i % 2 == 0 ? "ofConfined" : "ofShared")));
    }
    System.gc();
    System.out.println("kept " + owners.stream().filter(owner -> !owner.refersTo(null)).count());
  }

  private static final class Owner {
    private final Object arena;
    private final byte[] payload = new byte[10_000];

    Owner(String how) throws ReflectiveOperationException {
      arena = open(how);
      allocate(arena, TrackedProgram.BYTES);
      cleanup(arena, segment -> payload[0]++);
    }
  }

  /** Cleanups in the JDK's order, what they throw, and what a closed arena says. */
  private static void ordered() throws ReflectiveOperationException {
    for (String how : List.of("ofConfined", "ofShared")) {
      Object arena = open(how);
      for (int i = 0; i < 5; i++) {
        int number = i;
        cleanup(
            arena,
            segment -> {
              System.out.println(how + " cleans " + number);
              if (number % 2 == 1) {
                throw new IllegalStateException("cleanup " + number);
              }
            });
        allocate(arena, 8);
      }
      say(() -> call(arena, "close"));
      say(() -> call(arena, "close"));
      say(() -> allocate(arena, 8));
      say(() -> cleanup(arena, segment -> {}));
      say(() -> call(open(how), "close"));
    }
  }

  private interface Step {
    void run() throws ReflectiveOperationException;
  }

  private static void say(Step step) throws ReflectiveOperationException {
    try {
      step.run();
      System.out.println("done");
    } catch (InvocationTargetException e) {
      Throwable cause = Objects.requireNonNull(e.getCause());
      System.out.println(cause);
      for (Throwable suppressed : cause.getSuppressed()) {
        System.out.println("suppressed " + suppressed);
      }
    }
  }

  /** Shared arenas that are closed while another thread allocates; one stays open. */
  private static void raced(int times) throws Throwable {
    Object kept = open("ofShared");
    KEEP[0] = kept;
    allocate(kept, KEPT);
    Class<?> type = Class.forName("java.lang.foreign.Arena");
    MethodHandle allocate =
        MethodHandles.lookup()
            .unreflect(type.getMethod("allocate", long.class, long.class))
            .asType(MethodType.methodType(Object.class, Object.class, long.class, long.class));
    for (int i = 0; i < times; i++) {
      Object arena = open("ofShared");
      allocate(arena, 8);
      Thread allocating = new Thread(() -> allocateUntilClosed(allocate, arena));
      allocating.start();
      while (!isClosed(arena)) {
        Thread.onSpinWait();
      }
      allocating.join();
    }
    System.out.println("done");
  }

  /** An arena that another thread uses at this moment refuses. */
  private static boolean isClosed(Object arena) throws ReflectiveOperationException {
    try {
      call(arena, "close");
      return true;
    } catch (InvocationTargetException e) {
      return false;
    }
  }

  private static void allocateUntilClosed(MethodHandle allocate, Object arena) {
    try {
      while (allocate.invokeExact(arena, 64L, 1L) != null) {
        Thread.onSpinWait();
      }
    } catch (IllegalStateException e) {
      // it is closed
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a race gives once in a million: the close comes between an allocation and its count. */
  private static void late() throws ReflectiveOperationException {
    Class<?> entries = Class.forName("jdk.internal.foreign.OffcutArenaAccount");
    Class<?> lists = Class.forName("jdk.internal.foreign.MemorySessionImpl$ResourceList");
    Method open = entries.getDeclaredMethod("open", int.class, lists);
    Method grow = entries.getDeclaredMethod("grow", long.class);
    Method end = entries.getDeclaredMethod("end");
    for (Method method : List.of(open, grow, end)) {
      method.setAccessible(true);
    }
    Object arena = open("ofShared");
    KEEP[0] = arena;
    allocate(arena, KEPT);
    Object entry = open.invoke(null, Kind.SHARED, null);
    grow.invoke(entry, 100L);
    end.invoke(entry);
    grow.invoke(entry, 1000L);
    System.out.println("done");
  }

  /** The same race, where the allocation leaves its stack. */
  private static void filled() throws ReflectiveOperationException {
    Class<?> entries = Class.forName("jdk.internal.foreign.OffcutArenaAccount");
    Class<?> lists = Class.forName("jdk.internal.foreign.MemorySessionImpl$ResourceList");
    Method open = entries.getDeclaredMethod("open", int.class, lists);
    Method fill = entries.getDeclaredMethod("fill", long.class);
    Method end = entries.getDeclaredMethod("end");
    for (Method method : List.of(open, fill, end)) {
      method.setAccessible(true);
    }
    Object entry = open.invoke(null, Kind.SHARED, null);
    end.invoke(entry);
    fill.invoke(entry, KEPT);
    System.out.println("done");
  }

  private static Object open(String how) throws ReflectiveOperationException {
    return Class.forName("java.lang.foreign.Arena").getMethod(how).invoke(null);
  }

  private static void call(Object arena, String method) throws ReflectiveOperationException {
    Class.forName("java.lang.foreign.Arena").getMethod(method).invoke(arena);
  }

  private static void allocate(Object arena, long bytes) throws ReflectiveOperationException {
    Class.forName("java.lang.foreign.Arena")
        .getMethod("allocate", long.class, long.class)
        .invoke(arena, bytes, 1L);
  }

  private static void cleanup(Object arena, Consumer<Object> action)
      throws ReflectiveOperationException {
    Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
    Object segment = segments.getMethod("ofAddress", long.class).invoke(null, 0x1000L);
    segments
        .getMethod(
            "reinterpret", long.class, Class.forName("java.lang.foreign.Arena"), Consumer.class)
        .invoke(segment, 16L, arena, action);
  }
}
