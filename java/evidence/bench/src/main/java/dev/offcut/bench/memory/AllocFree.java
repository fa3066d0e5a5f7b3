package dev.offcut.bench.memory;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** {@code alloc_free_…}: a block taken, written, and freed at once. */
@State(Scope.Thread)
public class AllocFree {
  private static final int SLOTS = 64;

  /** As in the rows. */
  @Param("libc-malloc-critical")
  public String impl = "";

  /** Of a block. */
  @Param("64")
  public int bytes;

  private Allocator allocator = Allocator.NONE;
  private Slots table = allocator.table(0);
  private int at;

  /** Loads the one implementation. */
  @Setup
  public void setUp() {
    allocator = Allocator.of(impl);
    table = allocator.table(SLOTS);
  }

  /** One block. */
  @Benchmark
  public void block() {
    int slot = at++ & (SLOTS - 1);
    table.take(slot, bytes);
    table.give(slot);
  }

  /** Nothing may be left. */
  @TearDown
  public void end() {
    table.close();
    allocator.close();
  }
}
