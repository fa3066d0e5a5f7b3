package dev.offcut.bench.handle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The native resource of the measurements: nothing but a count of its releases, so that what is
 * compared is the bookkeeping around it.
 *
 * <p>A raw value is the index of the count that its release goes to. The compiler cannot see
 * through that (the value comes out of a handle that escaped), threads that count in places of
 * their own do not meet in a cache line, and in the end every release can be accounted for.
 */
public final class Resource {
  /** Places between the counts of two threads: two cache lines. */
  public static final int STRIDE = 16;

  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);

  private static long[] released = new long[4 * STRIDE];

  private Resource() {}

  /** Makes room for the values 1 to {@code values}; there is some for a few threads. */
  public static void room(int values) {
    released = new long[values + STRIDE];
  }

  public static long acquire(long value) {
    return value;
  }

  public static void release(long value) {
    released[(int) value]++; // plain: one thread at a time releases a value
  }

  /** How often the value was released, now or a little while ago. */
  public static long releases(int value) {
    return (long) COUNT.getOpaque(released, value); // opaque: polled in a loop
  }

  /** What a cleaner needs beside the handle: the value, apart from it. */
  public static final class State implements Runnable {
    private final long value;

    public State(long value) {
      this.value = Resource.acquire(value);
    }

    public long value() {
      return value;
    }

    @Override
    public void run() {
      Resource.release(value);
    }
  }
}
