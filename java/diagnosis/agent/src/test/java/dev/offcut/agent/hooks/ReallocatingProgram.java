package dev.offcut.agent.hooks;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Threads that give blocks other sizes, so that one gets the address that another has just left;
 * and a block that stays as it was since its new size is refused.
 *
 * <p>Arguments: how many threads, and how many blocks of each.
 */
public final class ReallocatingProgram {
  /** Bytes of the block that stays. */
  static final long KEPT = 1 << 20;

  private static final MethodHandle ALLOCATE;
  private static final MethodHandle REALLOCATE;
  private static final MethodHandle FREE;

  static {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field only = type.getDeclaredField("theUnsafe");
      only.setAccessible(true);
      Object unsafe = only.get(null);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      MethodType ofLong = MethodType.methodType(long.class, long.class);
      ALLOCATE = lookup.findVirtual(type, "allocateMemory", ofLong).bindTo(unsafe);
      REALLOCATE =
          lookup
              .findVirtual(
                  type,
                  "reallocateMemory",
                  MethodType.methodType(long.class, long.class, long.class))
              .bindTo(unsafe);
      FREE =
          lookup
              .findVirtual(type, "freeMemory", MethodType.methodType(void.class, long.class))
              .bindTo(unsafe);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ReallocatingProgram() {}

  public static void main(String[] args) throws Throwable {
    keep();
    int times = Integer.parseInt(args[1]);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      int seed = i;
      threads.add(new Thread(() -> resize(new SplittableRandom(seed), times)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println("done");
  }

  /** One block stays open, of which a new size was refused. */
  private static void keep() throws ReflectiveOperationException {
    Object block = TrackedProgram.unsafe("allocateMemory", KEPT);
    try {
      TrackedProgram.unsafe("reallocateMemory", block, Long.MAX_VALUE / 2);
      throw new AssertionError("no machine has as much");
    } catch (InvocationTargetException e) {
      System.out.println("refused " + Objects.requireNonNull(e.getCause()).getClass().getName());
    }
    Object moved = TrackedProgram.unsafe("reallocateMemory", block, 2 * KEPT);
    TrackedProgram.unsafe("reallocateMemory", moved, KEPT);
  }

  private static void resize(SplittableRandom random, int times) {
    try {
      for (int i = 0; i < times; i++) {
        long block = (long) ALLOCATE.invokeExact(100L + random.nextInt(7));
        for (int again = 0; again < 4; again++) {
          block = (long) REALLOCATE.invokeExact(block, 100L + random.nextInt(2_000));
        }
        if (i % 64 == 0) {
          block =
              (long) REALLOCATE.invokeExact(block, 0L); // frees it, and is 0, which may be freed
        }
        FREE.invokeExact(block);
      }
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
