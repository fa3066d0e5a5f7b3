package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import dev.offcut.bench.handle.Subject.Closing;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens and closes handles on some threads for some time: {@code open_close}, and with a queue of
 * open handles {@code fifo_10k}.
 *
 * <p>{@code cpu_ns_per_op} is the CPU time of these threads alone, {@code process_cpu_ns_per_op}
 * also that of collector, finalizer and what else an implementation runs, {@code wall_ns_per_op}
 * the time from start to end by the operations of all threads.
 *
 * <p>Arguments: implementation, threads, queue length (0: each handle is closed at once), CPU
 * seconds of warm-up, seconds of measurement.
 */
public final class OpenClose {
  /** From so many threads on, one turn of each takes long, and a slow implementation's longer. */
  private static final int MANY = 100;

  private static final int FEW_OPERATIONS = 256;

  private final Subject subject;
  private final int threads;
  private final int queue;

  private OpenClose(String[] args) {
    subject = Subject.of(args[0]);
    threads = Integer.parseInt(args[1]);
    queue = Integer.parseInt(args[2]);
  }

  public static void main(String[] args) throws Exception {
    new OpenClose(args).run(Child.nanos(args[3]), Child.nanos(args[4]));
  }

  private void run(long warmUpNanos, long nanos) throws InterruptedException {
    Resource.room((threads + 1) * Resource.STRIDE);
    List<Loop> loops = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      loops.add(new Loop((i + 1) * Resource.STRIDE));
    }
    Workers.run(loops, warmUpNanos, nanos).report();
  }

  private final class Loop implements Workers.Work {
    private final int value;
    private final Closing[] open = new Closing[queue];
    private int oldest;
    private long all;

    Loop(int value) {
      this.value = value;
    }

    @Override
    public void begin() {
      for (int i = 0; i < queue; i++) {
        open[i] = subject.open(value);
      }
    }

    @Override
    public void times(int operations) {
      if (queue == 0) {
        openAndClose(subject, value, operations);
      } else {
        oldest = openAndCloseOldest(subject, value, operations, open, oldest);
      }
      all += operations;
    }

    @Override
    public int chunk() {
      return threads < MANY ? Workers.Work.super.chunk() : FEW_OPERATIONS;
    }

    /** Each operation released exactly once, or the figures mean nothing. */
    @Override
    public void check() {
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
