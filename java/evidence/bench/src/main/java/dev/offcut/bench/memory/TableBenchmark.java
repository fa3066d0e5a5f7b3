package dev.offcut.bench.memory;

import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the benchmarks have in common whose thread has an allocator, and a table of blocks. */
@State(Scope.Thread)
public abstract class TableBenchmark {
  @Param("libc-malloc-critical")
  public String impl = "";

  private Allocator allocator = Allocator.NONE;
  Slots table = allocator.table(0);

  final void begin(int slots) {
    allocator = Allocator.of(impl);
    table = allocator.table(slots);
  }

  /** Takes what is still there out of the table. */
  void giveAll() {}

  @TearDown
  public final void end() {
    giveAll();
    table.close();
    allocator.close();
  }
}
