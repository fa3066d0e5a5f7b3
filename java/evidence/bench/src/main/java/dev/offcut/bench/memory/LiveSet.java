package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

  /**
   * Blocks that live for a while: an operation frees a random one and takes another in its place.
   * At the end all are freed. One thread uses it at a time, not always the same.
   */
  static final class Victims implements Workers.Work {
    private final Allocator allocator;
    private final int[] sizes;
    private final int[] held;
    private @Nullable Slots table;
    private int next;
    private long random;
    private long residentBytes;

    /** So many blocks; the length of {@code sizes} is a power of two. */
    Victims(Allocator allocator, int live, int[] sizes, int seed) {
      this.allocator = allocator;
      this.sizes = sizes;
      held = new int[live];
      next = seed * 1009;
      random = 0x9E3779B97F4A7C15L * (seed + 1);
    }

    @Override
    public void begin() {
      Slots blocks = allocator.table(held.length);
      for (int slot = 0; slot < held.length; slot++) {
        held[slot] = nextSize();
        blocks.take(slot, held[slot]);
      }
      table = blocks;
    }

    @Override
    public void times(int operations) {
      Slots blocks = Objects.requireNonNull(table);
      for (int i = 0; i < operations; i++) {
        int slot = victim();
        blocks.give(slot);
        held[slot] = nextSize();
        blocks.take(slot, held[slot]);
      }
    }

    private int nextSize() {
      return sizes[next++ & (sizes.length - 1)];
    }

    private int victim() {
      long number = random;
      number ^= number << 13;
      number ^= number >>> 7;
      number ^= number << 17;
      random = number;
      return (int) (((number & 0xffff_ffffL) * held.length) >>> Integer.SIZE);
    }

    @Override
    public void end() {
      residentBytes = Resident.ofProcess();
      Slots blocks = Objects.requireNonNull(table);
      for (int slot = 0; slot < held.length; slot++) {
        blocks.give(slot);
      }
      blocks.close();
    }

    /** What was asked for of the blocks that lived at the end. */
    long liveBytes() {
      return Arrays.stream(held).asLongStream().sum();
    }

    /** What the process had in memory while they still lived. */
    long residentBytes() {
      return residentBytes;
    }
  }
}
