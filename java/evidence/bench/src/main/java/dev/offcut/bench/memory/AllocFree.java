package dev.offcut.bench.memory;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** {@code alloc_free_…}: a block taken, written, and freed at once. */
public class AllocFree extends TableBenchmark {
  private static final int SLOTS = 64;

  @Param("64")
  public int bytes;

  private int at;

  @Setup
  public void setUp() {
    begin(SLOTS);
  }

  @Benchmark
  public void block() {
    int slot = at++ & (SLOTS - 1);
    table.take(slot, bytes);
    table.give(slot);
  }
}
