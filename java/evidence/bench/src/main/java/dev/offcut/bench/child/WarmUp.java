package dev.offcut.bench.child;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decides when threads have run a loop for long enough: they had their CPU time, no compilation
 * ended for a while, and the loop did not suddenly become faster. On a busy machine the compiler's
 * own threads wait for a core, so that no fixed time would do.
 */
public final class WarmUp {
  /** Wall time between two looks. */
  public static final long STEP_NANOS = 10_000_000;

  private static final int QUIET_STEPS = 15;

  /** What is faster by that has been compiled meanwhile. */
  private static final double FASTER = 0.75;

  private static final @Nullable CompilationMXBean COMPILER =
      ManagementFactory.getCompilationMXBean();

  private final long enoughCpuNanos;
  private final long end;
  private long cpuNanos;
  private long compiled;
  private double best = Double.MAX_VALUE;
  private int quiet;

  /** Ends in any case after {@code longestNanos}. */
  public WarmUp(long enoughCpuNanos, long longestNanos) {
    this.enoughCpuNanos = enoughCpuNanos;
    this.end = System.nanoTime() + longestNanos;
  }

  public boolean isOver() {
    return (cpuNanos >= enoughCpuNanos && quiet >= QUIET_STEPS) || System.nanoTime() - end >= 0;
  }

  /** One step: what it did, and the CPU time it took. */
  public void step(long operations, long nanos) {
    long now = COMPILER == null ? 0 : COMPILER.getTotalCompilationTime();
    double each = (double) nanos / operations;
    quiet = now == compiled && each > best * FASTER ? quiet + 1 : 0;
    best = Math.min(best, each);
    compiled = now;
    cpuNanos += nanos;
  }
}
