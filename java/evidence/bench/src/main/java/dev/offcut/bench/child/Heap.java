package dev.offcut.bench.child;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.concurrent.locks.LockSupport;

/** The heap of a child JVM, brought to rest before it is measured. */
public final class Heap {
  private static final long PAUSE_NANOS = 100_000_000;
  private static final int FEWEST_CYCLES = 3;
  private static final int MOST_CYCLES = 40;

  private Heap() {}

  /**
   * Collects until the heap no longer changes, and returns what it holds, in bytes: an
   * implementation may do part of its work after a GC cycle, in threads of its own.
   */
  public static long settle() {
    long before = 0;
    for (int i = 1; i <= MOST_CYCLES; i++) {
      System.gc();
      long used = usedAfterCollection();
      if (i >= FEWEST_CYCLES && Math.abs(used - before) <= used / 2000) {
        return used;
      }
      before = used;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return before;
  }

  /** What the last collection left, without what threads have set aside since to allocate in. */
  private static long usedAfterCollection() {
    long bytes = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
      bytes += usage == null ? 0 : usage.getUsed();
    }
    return bytes;
  }
}
