package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code chunk_…} and {@code web_socket_sizes}: of many blocks a random one is freed, and another
 * one taken. What is in memory at the end, above what the process had before, includes what the JVM
 * itself has grown by.
 *
 * <p>Arguments: allocator, {@link Sizes#named}, live blocks of each thread, threads, CPU seconds of
 * warm-up, seconds of measurement.
 */
final class LiveSet {
  private LiveSet() {}

  public static void main(String[] args) throws InterruptedException {
    int[] sizes = Sizes.named(args[1]);
    int live = Integer.parseInt(args[2]);
    int threads = Integer.parseInt(args[3]);
    long before = Resident.ofProcess();
    try (Allocator allocator = Allocator.of(args[0])) {
      List<Victims> works = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        works.add(new Victims(allocator, live, sizes, i));
      }
      Workers.run(works, Child.nanos(args[4]), Child.nanos(args[5]), allocator.threads()).report();
      // The first thread that ends looks while all blocks of the others live.
      long most = works.stream().mapToLong(Victims::residentBytes).max().orElseThrow();
      Child.figure("resident_bytes", most - before, "B");
      Child.figure("live_bytes", works.stream().mapToLong(Victims::liveBytes).sum(), "B");
    }
  }
}
