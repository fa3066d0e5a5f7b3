package dev.offcut.bench.child;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Collections of the heap, summed over all of a collector's beans, as JMH's {@code gc} profiler
 * does. A concurrent collector has beans for cycles and for pauses, and counts both.
 *
 * @param count of collections
 * @param millis they took
 */
public record GcWork(long count, long millis) {
  static final GcWork NONE = new GcWork(0, 0);

  /** Since the start of this JVM. */
  public static GcWork soFar() {
    List<GarbageCollectorMXBean> beans = ManagementFactory.getGarbageCollectorMXBeans();
    return new GcWork(
        beans.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum(),
        beans.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum());
  }

  /** What has been added. */
  public GcWork since(GcWork before) {
    return new GcWork(count - before.count, millis - before.millis);
  }
}
