package dev.offcut.bench.child.track;

import dev.offcut.bench.child.Child;
import java.util.Arrays;
import java.util.Locale;

/**
 * CPU of the process for each operation, in nanoseconds: without the agent, and at each of its
 * levels.
 *
 * <p>Arguments: seconds for each round; the operations, or none for all.
 */
public final class OpenAndClose {
  private static final int ROUNDS = 5;

  /** So many between two looks at the clock. */
  private static final int BATCH = 1000;

  /** Frames below the operation: programs do not open from main. */
  private static final int DEPTH = 20;

  private OpenAndClose() {}

  public static void main(String[] args) throws Throwable {
    long nanos = Child.nanos(args[0]);
    boolean foreign = Runtime.version().feature() >= 22;
    for (Operation operation : Operation.values()) {
      boolean asked = args.length == 1 || Arrays.asList(args).contains(operation.name());
      if (asked && (foreign || !operation.isForeign())) {
        double[] rounds = new double[ROUNDS];
        down(operation, nanos, DEPTH); // warm
        for (int round = 0; round < ROUNDS; round++) {
          rounds[round] = down(operation, nanos, DEPTH);
        }
        Arrays.sort(rounds);
        Child.figure(operation.name().toLowerCase(Locale.ROOT), rounds[ROUNDS / 2], "ns");
      }
    }
  }

  private static double down(Operation operation, long nanos, int frames) throws Throwable {
    return frames == 0 ? round(operation, nanos) : down(operation, nanos, frames - 1);
  }

  private static double round(Operation operation, long nanos) throws Throwable {
    long begin = System.nanoTime();
    long cpu = Child.processCpuNanos();
    long done = 0;
    while (System.nanoTime() - begin < nanos) {
      for (int i = 0; i < BATCH; i++) {
        operation.run();
      }
      done += BATCH;
    }
    return (double) (Child.processCpuNanos() - cpu) / done;
  }
}
