package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code trace_…}: the blocks of a recorded program, taken, written and freed as it did, again and
 * again.
 *
 * <p>Arguments: allocator, {@link MallocTrace#named}, CPU seconds of warm-up, seconds of
 * measurement.
 */
final class TraceReplay {
  private TraceReplay() {}

  public static void main(String[] args) throws InterruptedException {
    MallocTrace trace = MallocTrace.named(args[1]).closed();
    try (Allocator allocator = Allocator.of(args[0])) {
      Workers.run(
              List.of(new Player(allocator, trace)),
              Child.nanos(args[2]),
              Child.nanos(args[3]),
              allocator.threads())
          .report();
    }
  }

  /** An operation is a block that is taken, and one that is freed, not always the same. */
  private static final class Player implements Workers.Work {
    private final Allocator allocator;
    private final MallocTrace trace;
    private @Nullable Slots table;
    private int at;

    Player(Allocator allocator, MallocTrace trace) {
      this.allocator = allocator;
      this.trace = trace;
    }

    @Override
    public void begin() {
      table = allocator.table(trace.slotCount());
    }

    @Override
    public void times(int operations) {
      Slots blocks = Objects.requireNonNull(table);
      for (int left = 2 * operations; left > 0; ) {
        int to = Math.min(trace.steps(), at + left);
        left -= to - at;
        play(blocks, at, to);
        at = to == trace.steps() ? 0 : to;
      }
    }

    private void play(Slots blocks, int from, int to) {
      int[] sizes = trace.sizes();
      int[] slots = trace.slots();
      for (int i = from; i < to; i++) {
        if (sizes[i] > 0) {
          blocks.take(slots[i], sizes[i]);
        } else {
          blocks.give(slots[i]);
        }
      }
    }

    @Override
    public void end() {
      Slots blocks = Objects.requireNonNull(table);
      play(blocks, at, at == 0 ? 0 : trace.steps());
      blocks.close();
    }
  }
}
