package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code alloc_free_…}: a block taken, written, and freed at once.
 *
 * <p>Arguments: allocator, bytes, threads, CPU seconds of warm-up, seconds of measurement.
 */
final class AllocFree {
  private AllocFree() {}

  public static void main(String[] args) throws InterruptedException {
    int bytes = Integer.parseInt(args[1]);
    int threads = Integer.parseInt(args[2]);
    try (Allocator allocator = Allocator.of(args[0])) {
      var works = Stream.generate(() -> new Pairs(allocator, bytes)).limit(threads).toList();
      Workers.run(works, Child.nanos(args[3]), Child.nanos(args[4]), allocator.threads()).report();
    }
  }

  /** One thread that takes a block and frees it at once. An operation is both. */
  static final class Pairs implements Workers.Work {
    private static final int SLOTS = 64;

    private final Allocator allocator;
    private final int bytes;
    private @Nullable Slots table;

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
      Slots blocks = Objects.requireNonNull(table);
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
}
