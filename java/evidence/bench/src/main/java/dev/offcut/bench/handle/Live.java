package dev.offcut.bench.handle;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Heap;
import dev.offcut.bench.handle.Subject.Closing;
import dev.offcut.bench.handle.Subject.PlainHandle;
import java.lang.ref.Reference;
import java.util.Arrays;

/**
 * {@code live_3m}: what a large population of open handles costs in heap, over as many plain
 * objects, and in each full collection.
 *
 * <p>Arguments: implementation, handles.
 */
final class Live {
  private static final int COLLECTIONS = 5;

  private Live() {}

  public static void main(String[] args) {
    int count = Integer.parseInt(args[1]);
    long plain = fill(PlainHandle::new, count, false);
    double bytes = fill(Subject.of(args[0]), count, true) - plain;
    Child.figure("extra_heap_bytes_per_handle", bytes / count, "B");
  }

  /** Returns the bytes of so many open handles. */
  private static long fill(Subject subject, int count, boolean collects) {
    Closing[] open = new Closing[count];
    try {
      subject.open(1).close(); // what is loaded once is not the handles'
      long empty = Heap.settle();
      Arrays.setAll(open, i -> subject.open(1));
      long bytes = Heap.settle() - empty;
      if (collects) {
        Child.figure("full_gc_ms", shortestCollectionNanos() / 1e6, "ms");
      }
      return bytes;
    } finally {
      Reference.reachabilityFence(open);
    }
  }

  /** The same work each time: what takes longer than the shortest was disturbed. */
  private static long shortestCollectionNanos() {
    long shortest = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      long begun = System.nanoTime();
      System.gc();
      shortest = Math.min(shortest, System.nanoTime() - begun);
    }
    return shortest;
  }
}
