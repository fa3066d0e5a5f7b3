package dev.offcut.bench.longmap;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.List;

/** The five figures of JNA's pull request 1703, of what was measured. */
public final class FiveFigures {
  /** In the order in which it was published. */
  public static final List<String> METRICS =
      List.of("ops_per_ms", "alloc_mb_per_s", "alloc_bytes_per_op", "gc_count", "gc_time_ms");

  private FiveFigures() {}

  static void report(Workers.Result result) {
    double megabytes = result.bytes() / (double) (1 << 20);
    Child.figure("ops_per_ms", result.operationsPerMs(), "ops/ms");
    Child.figure("alloc_mb_per_s", megabytes / (result.wallNanos() / 1e9), "MB/s");
    Child.figure("alloc_bytes_per_op", result.bytesPerOperation(), "B");
    Child.figure("gc_count", result.collections().count(), "count");
    Child.figure("gc_time_ms", result.collections().millis(), "ms");
  }
}
