package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Heap;
import dev.offcut.bench.handle.Subject.Closing;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code forgotten_1m}: how long it takes until what was forgotten is released: from a call of
 * {@code System.gc()} to the last release.
 *
 * <p>The handles have lived through GC cycles before, as one that is forgotten usually has. If
 * nothing is released for a while another cycle is asked for. All are released in the end, once.
 *
 * <p>Arguments: implementation, handles.
 */
final class Forgotten {
  private static final long POLL_NANOS = 1_000_000;
  private static final long STALLED_NANOS = 3_000_000_000L;
  private static final int MOST_CYCLES = 10;

  private final @Nullable Closing[] open;
  private final int count;
  private int seen;
  private int cycles;

  private Forgotten(int count) {
    this.count = count;
    open = new Closing[count];
  }

  public static void main(String[] args) {
    int count = Integer.parseInt(args[1]);
    Resource.room(count);
    Forgotten forgotten = new Forgotten(count);
    forgotten.open(Subject.of(args[0]));
    Heap.settle();
    Arrays.fill(forgotten.open, null);
    forgotten.reclaim();
  }

  private void open(Subject subject) {
    for (int i = 0; i < count; i++) {
      open[i] = subject.open(i + 1);
    }
  }

  private void reclaim() {
    long cpu = Child.processCpuNanos();
    long begun = System.nanoTime();
    while (seen < count && cycles < MOST_CYCLES) {
      System.gc();
      cycles++;
      await();
    }
    long nanos = System.nanoTime() - begun;
    Child.figure("reclaim_ms", nanos / 1e6, "ms");
    Child.figure("reclaim_cpu_ms", (Child.processCpuNanos() - cpu) / 1e6, "ms");
    for (int value = 1; value <= count; value++) {
      if (Resource.releases(value) != 1) {
        throw new AssertionError("value " + value + ": " + Resource.releases(value) + " releases");
      }
    }
  }

  /** Until all are released, or nothing was for a while. */
  private void await() {
    long progress = System.nanoTime();
    while (seen < count && System.nanoTime() - progress < STALLED_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
      if (look()) {
        progress = System.nanoTime();
      }
    }
  }

  /** Goes on along the values that are released; cheap, since it looks at each only once. */
  private boolean look() {
    int before = seen;
    while (seen < count && Resource.releases(seen + 1) > 0) {
      seen++;
    }
    return seen > before;
  }
}
