package dev.offcut.bench.memory;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code trace_…}: the blocks of a recorded program, taken, written and freed as it did, again and
 * again. An operation is a block that is taken or one that is freed.
 */
@State(Scope.Thread)
public class TraceReplay {
  /** As in the rows. */
  @Param("libc-malloc-critical")
  public String impl = "";

  /** Whose trace. */
  @Param("git")
  public String program = "";

  private Allocator allocator = Allocator.NONE;
  private Slots table = allocator.table(0);
  private int[] sizes = {};
  private int[] slots = {};
  private int at;

  /** Loads the one implementation. */
  @Setup
  public void setUp() {
    MallocTrace trace = MallocTrace.named(program).closed();
    sizes = trace.sizes();
    slots = trace.slots();
    allocator = Allocator.of(impl);
    table = allocator.table(trace.slotCount());
  }

  /** One step. */
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

  /** Plays the rest, after which nothing may be left. */
  @TearDown
  public void end() {
    while (at != 0) {
      step();
    }
    table.close();
    allocator.close();
  }
}
