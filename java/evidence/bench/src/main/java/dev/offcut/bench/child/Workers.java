package dev.offcut.bench.child;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadFactory;

/**
 * Runs a loop on some threads of a child JVM for some time, after a warm-up, and takes what the
 * threads used meanwhile.
 */
public final class Workers {
  /** Warm-ups that get no CPU time end after so many times their seconds. */
  private static final int MOST_WARM_UP = 8;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final CyclicBarrier together;

  /**
   * Not a join: that inflates the thread's monitor, and then every use of its identity hash becomes
   * a call of the runtime; a striped counter of jctools' map took three times as long.
   */
  private final CountDownLatch ended;

  private final int threads;

  private Workers(int threads) {
    this.threads = threads;
    this.together = new CyclicBarrier(threads);
    this.ended = new CountDownLatch(threads);
  }

  /** What one thread does. A child JVM loads one such class only, so that calls of it inline. */
  public interface Work {
    /** Once, in the thread, before the warm-up. */
    default void begin() {}

    /** So many operations. */
    void times(int operations);

    /** Operations between two looks at the clock: few enough to end on time. */
    default int chunk() {
      return 4096;
    }

    /**
     * Another thread that does a part of the operations, whose CPU time and allocation are counted
     * too; 0 where there is none. Asked after the warm-up, and the same from then on.
     */
    default long helperThread() {
      return 0;
    }

    /** Once, in the thread, after the measurement. */
    default void end() {}

    /** Throws where the figures would mean nothing; after the thread has ended. */
    default void check() {}
  }

  /**
   * What the measured part took, of all threads together.
   *
   * @param operations of all threads
   * @param cpuNanos CPU time of these threads alone, and of their helpers
   * @param processCpuNanos that of the whole JVM: collector and helpers too
   * @param wallNanos from start to end
   * @param bytes what the same threads allocated
   * @param collections of the heap
   */
  public record Result(
      double operations,
      long cpuNanos,
      long processCpuNanos,
      long wallNanos,
      long bytes,
      GcWork collections) {
    /** Reports what an operation took. */
    public void report() {
      Child.figure("cpu_ns_per_op", cpuNanos / operations, "ns");
      Child.figure("process_cpu_ns_per_op", processCpuNanos / operations, "ns");
      Child.figure("wall_ns_per_op", wallNanos / operations, "ns");
      Child.figure("wall_ops_per_ms", operationsPerMs(), "ops/ms");
      Child.figure("alloc_bytes_per_op", bytesPerOperation(), "B");
    }

    /** Reports what a long operation took. */
    public void reportMicros() {
      Child.figure("cpu_us_per_op", cpuNanos / operations / 1e3, "us");
      Child.figure("alloc_bytes_per_op", bytesPerOperation(), "B");
    }

    /** Throughput of all threads. */
    public double operationsPerMs() {
      return operations / (wallNanos / 1e6);
    }

    /** To a hundredth: what reading the counters itself allocates is below that. */
    public double bytesPerOperation() {
      return Math.rint(bytes / operations * 100) / 100;
    }
  }

  /** Runs each work on a thread of its own; returns when all have ended and are checked. */
  public static Result run(List<? extends Work> works, long warmUpNanos, long nanos)
      throws InterruptedException {
    return run(works, warmUpNanos, nanos, Thread::new);
  }

  /** As above, on threads of another kind. */
  public static Result run(
      List<? extends Work> works, long warmUpNanos, long nanos, ThreadFactory factory)
      throws InterruptedException {
    Workers all = new Workers(works.size());
    List<Worker> workers =
        works.stream().map(work -> all.new Worker(work, warmUpNanos, nanos)).toList();
    List<Thread> threads = workers.stream().map(factory::newThread).toList();
    threads.forEach(thread -> thread.setUncaughtExceptionHandler((any, e) -> fail(e)));
    threads.forEach(Thread::start);
    all.ended.await();
    works.forEach(Work::check);
    return result(workers);
  }

  private static Result result(List<Worker> workers) {
    return new Result(
        workers.stream().mapToLong(w -> w.operations).sum(),
        workers.stream().mapToLong(w -> w.cpuNanos).sum(),
        workers.stream().mapToLong(w -> w.processCpuNanos).max().orElseThrow(),
        workers.stream().mapToLong(w -> w.wallNanos).max().orElseThrow(),
        workers.stream().mapToLong(w -> w.bytes).sum(),
        workers.get(0).collections);
  }

  private final class Worker implements Runnable {
    private final Work work;
    private final long warmUpNanos;
    private final long nanos;

    long operations;
    long wallNanos;
    long cpuNanos;
    long processCpuNanos;
    long bytes;
    GcWork collections = GcWork.NONE;

    Worker(Work work, long warmUpNanos, long nanos) {
      this.work = work;
      this.warmUpNanos = warmUpNanos;
      this.nanos = nanos;
    }

    @Override
    public void run() {
      work.begin();
      meet();
      warmUp();
      meet();
      GcWork before = GcWork.soFar();
      long helper = work.helperThread();
      long process = Child.processCpuNanos();
      long allocated = THREADS.getCurrentThreadAllocatedBytes() + bytesOf(helper);
      long cpu = THREADS.getCurrentThreadCpuTime() + cpuOf(helper);
      long begun = System.nanoTime();
      operations = work(nanos);
      wallNanos = System.nanoTime() - begun;
      cpuNanos = THREADS.getCurrentThreadCpuTime() + cpuOf(helper) - cpu;
      bytes = THREADS.getCurrentThreadAllocatedBytes() + bytesOf(helper) - allocated;
      processCpuNanos = Child.processCpuNanos() - process;
      collections = GcWork.soFar().since(before);
      work.end();
      ended.countDown();
    }

    private static long cpuOf(long helper) {
      return helper == 0 ? 0 : THREADS.getThreadCpuTime(helper);
    }

    private static long bytesOf(long helper) {
      return helper == 0 ? 0 : THREADS.getThreadAllocatedBytes(helper);
    }

    private void warmUp() {
      int cores = Runtime.getRuntime().availableProcessors();
      long enough = warmUpNanos * Math.min(cores, threads) / threads;
      WarmUp warmUp = new WarmUp(enough, warmUpNanos * MOST_WARM_UP);
      while (!warmUp.isOver()) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        warmUp.step(work(WarmUp.STEP_NANOS), THREADS.getCurrentThreadCpuTime() - cpu);
      }
    }

    private void meet() {
      try {
        together.await();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private long work(long forNanos) {
      int chunk = work.chunk();
      long end = System.nanoTime() + forNanos;
      long done = 0;
      do {
        work.times(chunk);
        done += chunk;
      } while (System.nanoTime() - end < 0);
      return done;
    }
  }

  /** Ends this JVM: the other threads would wait for the one that threw for ever. */
  public static void fail(Throwable e) {
    e.printStackTrace();
    Runtime.getRuntime().halt(1);
  }
}
