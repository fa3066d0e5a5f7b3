package dev.offcut.bench.memory;

import dev.offcut.bench.child.Workers;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One thread that takes a block and frees it at once. An operation is both. */
final class Pairs implements Workers.Work {
  private static final int SLOTS = 64;

  private final Allocator allocator;
  private final int bytes;
  private @Nullable Table table;

  Pairs(Allocator allocator, int bytes) {
    this.allocator = allocator;
    this.bytes = bytes;
  }

  @Override
  public void begin() {
    table = allocator.table(SLOTS);
  }

  @Override
  public void times(int operations) {
    Table blocks = Objects.requireNonNull(table);
    for (int i = 0; i < operations; i++) {
      int slot = i & (SLOTS - 1);
      blocks.take(slot, bytes);
      blocks.give(slot);
    }
  }

  @Override
  public void end() {
    Objects.requireNonNull(table).close();
  }
}
