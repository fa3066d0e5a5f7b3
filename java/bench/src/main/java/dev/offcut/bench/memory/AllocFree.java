package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.stream.Stream;

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
}
