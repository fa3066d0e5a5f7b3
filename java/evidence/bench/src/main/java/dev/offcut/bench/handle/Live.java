package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Heap;
import dev.offcut.bench.handle.Subject.Closing;
import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * {@code live_3m}: what a large population of open handles costs in heap, and in each full
 * collection.
 *
 * <p>Arguments: implementation, handles.
 */
final class Live {
  private static final int COLLECTIONS = 5;

  private Live() {}

  public static void main(String[] args) {
    Subject subject = Subject.of(args[0]);
    Closing[] open = new Closing[Integer.parseInt(args[1])];
    try {
      subject.open(1).close(); // what is loaded once is not the handles'
      long empty = Heap.settle();
      Arrays.setAll(open, i -> subject.open(1));
      double bytes = Heap.settle() - empty;
      Child.figure("heap_bytes_per_handle", bytes / open.length, "B");
      collect();
    } finally {
      Reference.reachabilityFence(open);
    }
  }

  /** The same work each time: what takes longer than the shortest was disturbed. */
  private static void collect() {
    long cpu = Child.processCpuNanos();
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      long begun = System.nanoTime();
      System.gc();
      shortest = Math.min(shortest, System.nanoTime() - begun);
    }
    cpu = Child.processCpuNanos() - cpu;
    Child.figure("full_gc_ms", shortest / 1e6, "ms");
    Child.figure("full_gc_cpu_ms", cpu / 1e6 / COLLECTIONS, "ms");
  }
}
