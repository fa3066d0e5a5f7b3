package dev.offcut.agent.base.concurrent;

import dev.offcut.agent.base.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects whose classes have a finalizer, counted by class.
 *
 * <p>A helper: a copy of it in java.base runs, any thread calls it, and it throws nothing. A class
 * refers to its count, which refers to its name only: class loaders can go.
 */
public final class Finalizers extends ClassValue<Finalizers.Count> {
  /** Classes: more are counted in the sum only. */
  private static final int MOST = 1_000;

  private static final Finalizers COUNTS = new Finalizers();

  private static final List<Count> ALL = new ArrayList<>();

  private Finalizers() {}

  /** Of a class how many objects were registered, and how many finalizers ran. */
  static final class Count {
    private final String type;
    private final long[] numbers = new long[2];

    Count(String type) {
      this.type = type;
    }
  }

  @Override
  protected Count computeValue(Class<?> type) {
    Count count = new Count(type.getName());
    synchronized (ALL) {
      if (ALL.size() < MOST) {
        ALL.add(count);
      }
    }
    return count;
  }

  /** An object got its finalizer. */
  public static void registered(@Nullable Object object) {
    count(object, 0, Counts.OPENED);
  }

  /** An object's finalizer is about to run. */
  public static void running(@Nullable Object object) {
    count(object, 1, Counts.COLLECTED);
  }

  private static void count(@Nullable Object object, int which, int what) {
    if (object == null) {
      return;
    }
    if (object.getClass() == Probes.finalized) {
      Counts.add(Counts.cell(Kind.FINALIZER + Kind.COUNT), what, 1);
      return;
    }
    try {
      Atomics.add(COUNTS.get(object.getClass()).numbers, which, 1);
      Counts.add(Counts.cell(Kind.FINALIZER), what, 1);
    } catch (Throwable e) {
      // no memory or no stack is left
    }
  }

  /** How many unreachable objects wait for their finalizers; -1 if the JDK does not say. */
  public static int waiting() {
    try {
      return Stock.Vm.getFinalRefCount();
    } catch (NoSuchMethodError e) {
      return -1;
    }
  }

  /** Of each class its name, and both numbers. */
  public static List<Object[]> all() {
    List<Object[]> all = new ArrayList<>();
    synchronized (ALL) {
      for (Count count : ALL) {
        // What ran first, so that never more ran than were registered.
        long run = count.numbers[1];
        long registered = count.numbers[0];
        // Of two threads that meet a class first each makes a count, and one of those stays unused.
        if (registered + run > 0) {
          all.add(new Object[] {count.type, registered, run});
        }
      }
    }
    return all;
  }
}
