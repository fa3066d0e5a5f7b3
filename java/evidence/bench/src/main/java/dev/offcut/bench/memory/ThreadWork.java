package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.GcWork;
import dev.offcut.bench.child.WarmUp;
import dev.offcut.bench.child.Workers.Result;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * What threads that come and go have done and used. Each reports by a meter of its own; the one
 * that measures looks at the sums.
 */
final class ThreadWork {
  private static final int MOST_WARM_UP = 8;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final LongAdder operations = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** The meter of one thread, made and used on it. */
  final class Meter {
    private long cpu = THREADS.getCurrentThreadCpuTime();
    private long allocated = THREADS.getCurrentThreadAllocatedBytes();

    /** So many operations were done, with all that was used since the last ones. */
    void did(int count) {
      long cpuNow = THREADS.getCurrentThreadCpuTime();
      long allocatedNow = THREADS.getCurrentThreadAllocatedBytes();
      operations.add(count);
      cpuNanos.add(cpuNow - cpu);
      bytes.add(allocatedNow - allocated);
      cpu = cpuNow;
      allocated = allocatedNow;
    }
  }

  Meter meter() {
    return new Meter();
  }

  /** Waits until the threads are warm, then measures for some time. */
  Result measure(long warmUpNanos, long nanos) throws InterruptedException {
    warmUp(new WarmUp(warmUpNanos, warmUpNanos * MOST_WARM_UP));
    GcWork collections = GcWork.soFar();
    long process = Child.processCpuNanos();
    long done = operations.sum();
    long cpu = cpuNanos.sum();
    long allocated = bytes.sum();
    long begun = System.nanoTime();
    sleep(nanos);
    return new Result(
        operations.sum() - done,
        cpuNanos.sum() - cpu,
        Child.processCpuNanos() - process,
        System.nanoTime() - begun,
        bytes.sum() - allocated,
        GcWork.soFar().since(collections));
  }

  private void warmUp(WarmUp warmUp) throws InterruptedException {
    long done = 0;
    long cpu = 0;
    while (!warmUp.isOver()) {
      sleep(WarmUp.STEP_NANOS);
      long doneNow = operations.sum();
      long cpuNow = cpuNanos.sum();
      if (doneNow > done && cpuNow > cpu) {
        warmUp.step(doneNow - done, cpuNow - cpu);
      }
      done = doneNow;
      cpu = cpuNow;
    }
  }

  private static void sleep(long nanos) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanos);
  }
}
