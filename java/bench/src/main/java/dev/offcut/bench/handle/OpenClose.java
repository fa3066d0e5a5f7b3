package dev.offcut.bench.handle;

import dev.offcut.bench.Child;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/**
 * Opens and closes handles on some threads for some time: {@code open_close}, {@code contention},
 * and with a queue of open handles {@code fifo_10k}.
 *
 * <p>{@code cpu_ns_per_op} is the CPU time of these threads alone, {@code process_cpu_ns_per_op}
 * also that of collector, finalizer and what else an implementation runs, {@code wall_ns_per_op}
 * the time from start to end by the operations of all threads.
 *
 * <p>Arguments: implementation, threads, queue length (0: each handle is closed at once), CPU
 * seconds of warm-up, seconds of measurement.
 */
final class OpenClose {
  /** Operations between two looks at the clock: short enough to end on time. */
  private static final int CHUNK = 4096;

  /** Warm-ups that get no CPU time end after so many times their seconds. */
  private static final int MOST_WARM_UP = 8;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Subject subject;
  private final int threads;
  private final int queue;
  private final CyclicBarrier together;

  private OpenClose(String[] args) {
    subject = Subject.of(args[0]);
    threads = Integer.parseInt(args[1]);
    queue = Integer.parseInt(args[2]);
    together = new CyclicBarrier(threads);
  }

  public static void main(String[] args) throws Exception {
    new OpenClose(args).run(seconds(args[3]), seconds(args[4]));
  }

  private static long seconds(String text) {
    return (long) (Double.parseDouble(text) * 1e9);
  }

  private void run(long warmUpNanos, long nanos) throws InterruptedException {
    Resource.room((threads + 1) * Resource.STRIDE);
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Worker worker = new Worker((i + 1) * Resource.STRIDE, warmUpNanos, nanos);
      workers.add(worker);
      worker.start();
    }
    for (Worker worker : workers) {
      worker.join();
    }
    workers.forEach(Worker::check);
    report(workers);
  }

  private void report(List<Worker> workers) {
    double operations = workers.stream().mapToLong(w -> w.operations).sum();
    long wall = workers.stream().mapToLong(w -> w.wallNanos).max().orElseThrow();
    long cpu = workers.stream().mapToLong(w -> w.cpuNanos).sum();
    long bytes = workers.stream().mapToLong(w -> w.bytes).sum();
    long process = workers.stream().mapToLong(w -> w.processCpuNanos).max().orElseThrow();
    Child.figure("cpu_ns_per_op", cpu / operations, "ns");
    Child.figure("process_cpu_ns_per_op", process / operations, "ns");
    Child.figure("wall_ns_per_op", wall / operations, "ns");
    Child.figure("wall_ops_per_ms", operations / (wall / 1e6), "ops/ms");
    Child.figure("alloc_bytes_per_op", bytes / operations, "B");
  }

  private final class Worker extends Thread {
    private final int value;
    private final long warmUpNanos;
    private final long nanos;
    private final Closing[] open = new Closing[queue];
    private int oldest;
    private long all;

    long operations;
    long wallNanos;
    long cpuNanos;
    long processCpuNanos;
    long bytes;

    Worker(int value, long warmUpNanos, long nanos) {
      this.value = value;
      this.warmUpNanos = warmUpNanos;
      this.nanos = nanos;
    }

    @Override
    public void run() {
      for (int i = 0; i < queue; i++) {
        open[i] = subject.open(value);
      }
      meet();
      warmUp();
      meet();
      long process = Child.processCpuNanos();
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long cpu = THREADS.getCurrentThreadCpuTime();
      long begun = System.nanoTime();
      operations = work(nanos);
      wallNanos = System.nanoTime() - begun;
      cpuNanos = THREADS.getCurrentThreadCpuTime() - cpu;
      bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
      processCpuNanos = Child.processCpuNanos() - process;
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
      long end = System.nanoTime() + forNanos;
      long done = 0;
      do {
        if (queue == 0) {
          openAndClose(subject, value, CHUNK);
        } else {
          oldest = openAndCloseOldest(subject, value, CHUNK, open, oldest);
        }
        done += CHUNK;
      } while (System.nanoTime() - end < 0);
      all += done;
      return done;
    }

    /** Each operation released exactly once, or the figures mean nothing. */
    void check() {
      long released = Resource.releases(value);
      if (released != all) {
        throw new AssertionError(all + " closed, " + released + " released");
      }
    }
  }

  private static void openAndClose(Subject subject, long value, int times) {
    for (int i = 0; i < times; i++) {
      Closing handle = subject.open(value);
      Sink.take(handle);
      handle.close();
    }
  }

  private static int openAndCloseOldest(
      Subject subject, long value, int times, Closing[] open, int oldest) {
    int at = oldest;
    for (int i = 0; i < times; i++) {
      Closing closing = open[at];
      open[at] = subject.open(value);
      closing.close();
      at = at + 1 == open.length ? 0 : at + 1;
    }
    return at;
  }
}
