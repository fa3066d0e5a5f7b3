package dev.offcut.bench.memory;

import dev.offcut.bench.child.Child;
import dev.offcut.bench.child.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * {@code program_trimmed}: a recorded program takes and frees blocks, up to its most bytes in use.
 * Then random ones are freed until only every tenth is left, and the allocator is told to give back
 * what it can. Of the pages that blocks lay in, those count that are in memory; and by how much the
 * process has grown, with what native allocators note beside the blocks.
 *
 * <p>Arguments: allocator, what random numbers begin with.
 */
final class Trimmed {
  private static final int OF = 10;

  private Trimmed() {}

  public static void main(String[] args) throws InterruptedException {
    long seed = Long.parseLong(args[1]);
    try (Allocator allocator = Allocator.of(args[0])) {
      Thread thread = allocator.threads().newThread(() -> run(allocator, seed));
      thread.setUncaughtExceptionHandler((any, e) -> Workers.fail(e));
      thread.start();
      thread.join();
    }
  }

  private static void run(Allocator allocator, long seed) {
    int[] steps = steps(text());
    int blocks = (int) Arrays.stream(steps).filter(step -> step > 0).count();
    int[] sizes = new int[blocks];
    Set<Long> pages = new TreeSet<>();
    try (Slots table = allocator.table(blocks)) {
      long before = Resident.ofProcess();
      List<Integer> live = replay(steps, table, sizes, pages);
      SplittableRandom random = new SplittableRandom(seed);
      int survivors = live.size() / OF;
      while (live.size() > survivors + 1) {
        table.give(removeAny(live, random));
      }
      allocator.trim();
      table.give(removeAny(live, random)); // at which a heap of one thread does what it was told
      long bytes = live.stream().mapToLong(slot -> sizes[slot]).sum();
      Child.figure("process_by_live", (double) (Resident.ofProcess() - before) / bytes, "ratio");
      Pinned.report(bytes, Resident.of(pages));
      live.forEach(table::give);
    }
  }

  private static int removeAny(List<Integer> live, SplittableRandom random) {
    int at = random.nextInt(live.size());
    int slot = live.get(at);
    live.set(at, live.getLast());
    live.removeLast();
    return slot;
  }

  /** Takes and frees blocks; returns the slots of those that are left. */
  private static List<Integer> replay(int[] steps, Slots table, int[] sizes, Set<Long> pages) {
    Set<Integer> live = new TreeSet<>();
    int taken = 0;
    for (int step : steps) {
      if (step > 0) {
        table.take(taken, step);
        table.fill(taken, step);
        Pinned.addPages(table.address(taken), step, pages);
        sizes[taken] = step;
        live.add(taken);
        taken++;
      } else {
        table.give(-step);
        live.remove(-step);
      }
    }
    return new ArrayList<>(live);
  }

  private static String text() {
    try (InputStream from = Trimmed.class.getResourceAsStream("sqlite-blocks.txt")) {
      return new String(
          Objects.requireNonNull(from, "the recording").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The size of each block that is taken; 0 or less is the number of a block that is freed. */
  static int[] steps(String recording) {
    return recording
        .lines()
        .filter(line -> !line.startsWith("#"))
        .flatMap(line -> Arrays.stream(line.split(" ", -1)))
        .flatMapToInt(
            word -> {
              String[] step = word.split("x", -1);
              int times = step.length == 1 ? 1 : Integer.parseInt(step[1]);
              return Arrays.stream(new int[times]).map(none -> Integer.parseInt(step[0]));
            })
        .toArray();
  }
}
