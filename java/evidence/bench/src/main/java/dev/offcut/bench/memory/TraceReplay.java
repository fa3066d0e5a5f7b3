package dev.offcut.bench.memory;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * {@code trace_…}: the blocks of a recorded program, taken, written and freed as it did, again and
 * again. An operation is a block that is taken or one that is freed.
 */
public class TraceReplay extends TableBenchmark {
  @Param("git")
  public String program = "";

  private int[] sizes = {};
  private int[] slots = {};
  private int at;

  @Setup
  public void setUp() {
    MallocTrace trace = MallocTrace.named(program).closed();
    sizes = trace.sizes();
    slots = trace.slots();
    begin(trace.slotCount());
  }

  @Benchmark
  public void step() {
    int now = at;
    if (sizes[now] > 0) {
      table.take(slots[now], sizes[now]);
    } else {
      table.give(slots[now]);
    }
    at = now + 1 == sizes.length ? 0 : now + 1;
  }

  @Override
  void giveAll() {
    while (at != 0) {
      step();
    }
  }
}
